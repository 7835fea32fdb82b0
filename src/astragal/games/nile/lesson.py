"""The first steps in Nile, on a board small enough to see a river from its start to its goal."""

from __future__ import annotations

from astragal.core.language import noted
from astragal.core.lesson import Lesson, Task
from astragal.games.nile.board import Board, Group
from astragal.games.nile.options import Options

BROOK = Board(
    name="lesson",
    rows=(
        "9  80  60  40  20  40  60  80",
        "8   .   .   .   .   .   .   .",
        "7   .   .   . +20  A# +40  A#",
        "6   .   .   .   .  A#  A#  A#",
        "5   . +30   .   .   .   .   .",
        "4   .   .   . -20   .   .   .",
        "3   .   .   .   .   . +10   .",
        "2   .   .   .   .   .   .   .",
        "1   .   .   .   *   .   .   .",
    ),
    groups=(Group(letter="A", penalty=30),),
)

LESSON = Lesson(
    options=Options(board=BROOK, begins=0),
    tasks=(
        Task(
            text=noted(
                "One river runs from the foot of the board to the blue fields at the top, and all players lay it "
                "together, tile by tile. You are Papyrus, the other is Lotus. Whoever has most points at the end wins. "
                "This is a small board to learn on."
            ),
        ),
        Task(
            text=noted(
                "You have five tiles. Each joins two points of its square: middles of sides, or corners. The small "
                "number is its value. Lay the straight at the end of the river, which is the start, and end your turn."
            ),
            before=(
                "draw-straight",
                "draw-straight",
                "draw-curve",
                "draw-far-left",
                "draw-far-right",
                "draw-curve",
                "draw-curve",
                "draw-straight",
                "draw-straight",
                "draw-curve",
            ),
            want=("D1:straight-N", "stop"),
            then=("draw-straight",),
            why=noted("1 point, the value of the tile. Then you draw, so that you have five again."),
            otherwise=noted(
                "That is possible too, but this time lay only the straight, so that the river runs up, and end the "
                "turn."
            ),
        ),
        Task(
            text=noted(
                "Lotus has turned the river to the right. You may lay as many tiles in a turn as you like. First the "
                "far left: it leads to a corner, and there the river goes on in the field diagonally opposite. That "
                "field is green. Then the far right on the green field, upwards. Then end the turn."
            ),
            before=("D2:curve-E", "stop", "draw-straight"),
            want=("E2:far-left-NE", "F3:far-right-N", "stop"),
            then=("draw-universal", "draw-bow"),
            why=noted(
                "3 and 3 for the tiles and 10 for the green field. A green field pays whoever covers it, so take what "
                "lies in your reach."
            ),
            otherwise=noted(
                "That is possible too, but lead the river onto the green field: far left to the corner, then far right "
                "upwards, then end the turn."
            ),
        ),
        Task(
            text=noted(
                "The field to the left, with -20, is red: it costs whoever covers it. And who can play must play. Lay "
                "one straight, so that the river ends right in front of the red field, and stop."
            ),
            before=("F4:curve-W", "stop", "draw-curve"),
            want=("E4:straight-W", "stop"),
            then=("draw-far-left",),
            why=noted("Only 1 point, but Lotus has to go on from there. Where you stop is half of the game."),
            otherwise=noted("That is possible too, but set the trap: the straight on E4, to the left, and no more."),
        ),
        Task(
            text=noted(
                "Lotus had to step on the red field: 1 for the tile, 20 less. Now you: the star is a universal. It may "
                "stand for any kind and counts 10. Lead it to the corner at the upper left, where a green field waits, "
                "lay the bow there, and end the turn."
            ),
            before=("D4:straight-W", "stop", "draw-curve"),
            want=("C4:universal=far-right-NW", "B5:bow-NE", "stop"),
            then=("draw-far-right", "draw-far-right"),
            why=noted(
                "10 for the universal, 6 for the bow, 30 for the field. The bow joins two corners, so the river now "
                "enters the next field at a corner."
            ),
            otherwise=noted(
                "That is possible too, but lay the universal so that it leads to the upper left, then the bow on the "
                "green field, then end the turn. A tile that leads elsewhere can be turned."
            ),
        ),
        Task(
            text=noted(
                "See what that did: straights and curves join sides, and Lotus had nothing else. Who has no tile that "
                "fits shows the whole rack, loses its value, and draws a new one. The program only lets you pass when "
                "nothing fits."
            ),
            before=("pass", "draw-curve", "draw-bow", "draw-near-left", "draw-straight", "draw-far-left"),
        ),
        Task(
            text=noted(
                "You can end the river in this turn. All five tiles in one turn bring 20 more, the blue field brings "
                "its number, and the fields at the sides are worth more than the middle. Lay far left, curve up, "
                "straight, far right, and with the last far right leave the blue field at its upper edge."
            ),
            want=("C6:far-left-E", "D6:curve-N", "D7:straight-N", "D8:far-right-NE", "E9:far-right-N"),
            why=noted(
                "12 for the tiles, 20 for a green field, 20 for the whole rack and 40 for the goal. Lotus loses what "
                "is left on the rack. You have won!"
            ),
            otherwise=noted(
                "That is possible too, but this turn can win: far left, curve up, straight, far right to the corner, "
                "far right over the upper edge."
            ),
        ),
        Task(
            text=noted(
                "Three more things. The river must never touch the border, except at its start and its goal, and must "
                "always be able to reach the blue; only who holds a universal may shut it in. Red groups with an "
                "outline cost once in a turn. And with a universal you may cross the river. Now lay one yourself."
            ),
        ),
    ),
)
