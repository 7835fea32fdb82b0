"""What an action does to a packed position of EGAR (see `layout`). Readable: `combat`, `quiz`, `state`."""

from __future__ import annotations

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.games.egar import layout as at
from astragal.games.egar.kernels import apart, by_chance, can_attack, next_living, read


@kernel
def step(state: Array, tables: Array, number: int) -> None:
    """Changes the position by an action or an outcome; what a number means follows from the phase."""
    phase = state[at.PHASE]
    if phase == at.MOVE or phase == at.ATTACKING:
        if number < at.ATTACK:
            go(state, tables, (number - at.STEP) >> 2, at.WAYS[number & 3])
        elif number < at.TAKE:
            attack(state, (number - at.ATTACK) >> 2, at.SIDES[number & 3])
        else:
            put(state, tables)
    elif phase == at.ROLLING or phase == at.FIGHT:
        roll(state, tables, (number - at.ROLL) // at.PIPS + 1, (number - at.ROLL) % at.PIPS + 1)
    elif phase == at.CARDS:
        draw(state, tables, number - at.DRAW)
    elif phase == at.ANSWER:
        right = number == at.KNOW if by_chance(state, tables) else number - at.CHOOSE == state[at.RIGHT] - 1
        answered(state, tables, right)
    elif phase == at.PICK:
        lose(state, tables, number - at.TAKE)
    elif phase == at.LEVELLING:
        state[at.PHASE], state[at.LEVEL] = at.CARDS, number - at.ASK + 1
    elif phase == at.ORDERING:
        state[at.PHASE], state[at.RIGHT] = at.ANSWER, at.FIRST_OPTION[number - at.ORDER] + 1
    else:
        state[at.PHASE], state[at.MOVER] = at.ROLLING, number - at.BEGINS


@kernel
def go(state: Array, tables: Array, start: int, way: int) -> None:
    """One soldier goes one square (EG-5 to EG-7)."""
    mover = state[at.MOVER]
    end = start + way
    first = at.ARMY + at.MOST_SOLDIERS * mover
    last = first + state[at.COUNT + mover] - 1
    place = first
    while state[place] != start:
        place += 1
    while place < last and state[place + 1] < end:  # the army stays in ascending order
        state[place] = state[place + 1]
        place += 1
    while place > first and state[place - 1] > end:
        state[place] = state[place - 1]
        place -= 1
    state[place] = end
    state[start], state[end] = 0, mover + 1
    for seat in range(tables[at.PLAYERS]):
        standing = state[at.COUNT + seat] > 0 or not tables[at.FLAGS_REMOVED]
        if end == tables[at.FLAG + seat] and seat != mover and standing:
            win(state, 1 << read(state, at.MOVER))
            return
    state[at.POINTS] -= 1
    if state[at.POINTS] == 0:
        settle(state, tables)


@kernel
def settle(state: Array, tables: Array) -> None:
    """In the attack phase: on to the question when nobody is left to attack."""
    if can_attack(state):
        state[at.PHASE] = at.ATTACKING
    else:
        put(state, tables)


@kernel
def attack(state: Array, target: int, side: int) -> None:
    """An attack is announced (EG-9)."""
    state[at.PHASE], state[at.POINTS] = at.FIGHT, 0
    state[at.TARGET], state[at.RISK] = target, target + side
    dice = 0
    for each in range(4):
        dice += state[target + at.SIDES[each]] == state[at.MOVER] + 1
    state[at.DICE], state[at.THROWN], state[at.BEST] = dice, 0, 0


@kernel
def roll(state: Array, tables: Array, low: int, high: int) -> None:
    """A die falls: for moving (EG-5), or in a fight (EG-10, EG-11)."""
    if state[at.PHASE] == at.ROLLING:
        state[at.PHASE], state[at.POINTS] = at.MOVE, low
        return
    best = read(state, at.BEST)
    if state[at.THROWN] < state[at.DICE]:
        state[at.THROWN] += 1
        state[at.BEST] = max(high, best)
        return
    if low == high and low == best:
        state[at.THROWN], state[at.BEST] = 0, 0
        return
    mover = read(state, at.MOVER)
    fallen = read(state, at.TARGET if high < best else at.RISK)
    end_fight(state)
    if without(state, tables, fallen):
        return
    if state[at.COUNT + mover] == 0:
        next_turn(state, tables, next_living(state, tables, mover))
    else:
        settle(state, tables)


@kernel
def put(state: Array, tables: Array) -> None:
    """The turn's question goes to the next living seat (EG-13)."""
    state[at.POINTS] = 0
    state[at.ASKED] = next_living(state, tables, read(state, at.MOVER))
    if tables[at.LEVELS] == 1:
        state[at.PHASE], state[at.LEVEL] = at.CARDS, tables[at.ALLOWED] + 1
    else:
        state[at.PHASE] = at.LEVELLING


@kernel
def draw(state: Array, tables: Array, card: int) -> None:
    """A card comes up (EG-19), and its options are in order, or chance has to put them so (EG-20)."""
    level = state[at.LEVEL] - 1
    words = at.USED + tables[at.WORDS + level]
    if state[at.LAID + level] == tables[at.SIZE + level]:
        for word in range((tables[at.SIZE + level] + 7) >> 3):
            state[words + word] = 0
        state[at.LAID + level] = 0
    state[words + (card >> 3)] |= 1 << (card & 7)
    state[at.LAID + level] += 1
    if by_chance(state, tables) or tables[at.OPEN_ANSWERS]:
        state[at.PHASE] = at.ANSWER
    elif not state[at.SEALED] and tables[tables[at.KINDS + level] + card]:
        state[at.PHASE], state[at.RIGHT] = at.ANSWER, tables[tables[at.KINDS + level] + card]
    else:
        state[at.PHASE] = at.ORDERING


@kernel
def answered(state: Array, tables: Array, right: bool) -> None:
    """What follows an answer (EG-14)."""
    asked = read(state, at.ASKED)
    if right:
        next_turn(state, tables, asked)
        return
    flag = tables[at.FLAG + asked]
    first = at.ARMY + at.MOST_SOLDIERS * asked
    least, nearest, many = at.SQUARES, read(state, first), False
    for place in range(first, first + state[at.COUNT + asked]):
        far = apart(flag, read(state, place))
        if far < least:
            least, nearest, many = far, read(state, place), False
        elif far == least:
            many = True
    if many:
        state[at.PHASE] = at.PICK
    else:
        lose(state, tables, nearest)


@kernel
def lose(state: Array, tables: Array, square: int) -> None:
    """A soldier of the asked seat leaves, and the turn is over."""
    asked = read(state, at.ASKED)
    if not without(state, tables, square):
        next_turn(state, tables, asked)


# Who is left, and whose turn it is -----------------------------------------------------------------------------


@kernel
def without(state: Array, tables: Array, square: int) -> bool:
    """A soldier leaves the board; whether that ends the game (EG-18)."""
    seat = state[square] - 1
    state[square] = 0
    last = at.ARMY + at.MOST_SOLDIERS * seat + state[at.COUNT + seat] - 1
    place = at.ARMY + at.MOST_SOLDIERS * seat
    while state[place] != square:
        place += 1
    while place < last:
        state[place] = state[place + 1]
        place += 1
    state[last] = 0
    state[at.COUNT + seat] -= 1
    alive = 0
    for other in range(tables[at.PLAYERS]):
        alive |= (state[at.COUNT + other] > 0) << other
    if alive & (alive - 1):
        return False
    win(state, alive)
    return True


@kernel
def win(state: Array, seats: int) -> None:
    """The end, for the seats with a bit here."""
    state[at.PHASE], state[at.WON], state[at.POINTS] = at.ENDED, seats, 0
    end_fight(state)
    end_question(state)


@kernel
def next_turn(state: Array, tables: Array, seat: int) -> None:
    """The turn passes to this seat or the next living one, unless the turns are over (EG-22)."""
    if state[at.COUNT + seat] == 0:
        seat = next_living(state, tables, seat)
    state[at.PHASE], state[at.MOVER], state[at.POINTS] = at.ROLLING, seat, 0
    end_question(state)
    if tables[at.TURN_LIMIT] == 0:
        return
    turns = (state[at.TURNS_HIGH] << 15) + state[at.TURNS] + 1
    state[at.TURNS], state[at.TURNS_HIGH] = turns & 0x7FFF, turns >> 15
    if tables[at.TURN_LIMIT] <= turns:
        most = seats = 0
        for other in range(tables[at.PLAYERS]):
            count = read(state, at.COUNT + other)
            most = count if count > most else most
        for other in range(tables[at.PLAYERS]):
            seats |= (state[at.COUNT + other] == most) << other
        win(state, seats)


@kernel
def end_fight(state: Array) -> None:
    """No fight is going on."""
    for place in range(at.TARGET, at.BEST + 1):
        state[place] = 0


@kernel
def end_question(state: Array) -> None:
    """No question is open."""
    for place in range(at.ASKED, at.RIGHT + 1):
        state[place] = 0
