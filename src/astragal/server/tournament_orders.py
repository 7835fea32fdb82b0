"""What only the organiser of a tournament can do, and the host of the server."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.core import options as option_tools
from astragal.core import registry
from astragal.core.language import say
from astragal.server import own_data, setup, tournament_store, tournament_wire
from astragal.server.problems import Problem
from astragal.server.setup import cleaned
from astragal.server.tournament_store import EntrantRow
from astragal.server.tournament_wire import Order
from astragal.server.tournaments import Held, Tournaments, check_entry, check_length, check_name, check_running
from astragal.tournament.events import Began, Body, Ended, Entered, Paused, Renamed, Result, Resumed
from astragal.tournament.state import Tournament


async def carry_out(tournaments: Tournaments, held: Held, order: Order) -> None:
    """Does it; a repeated order with the same key is done once. Raises Problem."""
    id, cause = held.row.id, f"order:{order.id}" if order.id else None
    match order:
        case tournament_wire.SetAbsent():
            await tournaments.absent(id, order.entrant, order.absent, "organiser", cause)
        case tournament_wire.Remove():
            await tournaments.withdraw(id, order.entrant, "organiser", cause)
        case tournament_wire.AddBot():
            await _add_bot(tournaments, held, order, cause)
        case _:
            await tournaments.change(id, lambda held: _done(held, order), cause)


def _done(held: Held, order: Order) -> Sequence[Body]:
    """What an order does. Raises Problem."""
    state = held.state
    match order:
        case tournament_wire.Begin():
            if state.began_at is not None:
                raise Problem("not_possible", say("the tournament has begun already"))
            if sum(entrant.present for entrant in state.entrants) < 2:
                raise Problem("not_possible", say("a tournament needs at least two who take part"))
            check_length(state)
            return [Began()]
        case tournament_wire.Pause():
            if state.status != "running":
                raise Problem("not_possible", say("only a tournament that runs can be paused"))
            return [Paused()]
        case tournament_wire.Resume():
            if state.status != "paused":
                raise Problem("not_possible", say("the tournament is not paused"))
            return [Resumed()]
        case tournament_wire.Rename():
            who, name = state.entrant(order.entrant), cleaned(order.name)[:40]
            if not name:
                raise Problem("malformed", say("write a name to take part"))
            if name != who.name:
                check_running(held)
                check_name(held, name)
            return [Renamed(order.entrant, name)]
        case tournament_wire.Correct():
            return [_corrected(state, order)]
        case tournament_wire.End():
            check_running(held)
            return [Ended("organiser")]
    return []


def _corrected(state: Tournament, order: tournament_wire.Correct) -> Result:
    table = state.table(order.round, order.table)
    state.game(order.round, order.table, order.game)
    if len(order.shares) != len(table.entrants) or not (sum(order.shares) == 0 or abs(sum(order.shares) - 1) < 0.01):
        raise Problem("malformed", say("a result has a share for everybody at the table, together one win or nothing"))
    return Result(order.round, order.table, order.game, order.shares, "corrected")


async def _add_bot(tournaments: Tournaments, held: Held, order: tournament_wire.AddBot, cause: str | None) -> None:
    game = registry.game(held.row.game)
    base = setup.read(held.row.setup)
    whole = own_data.whole(base.options, held.row.data)
    setup.check_bot(order.bot, game, option_tools.convert(game.rules, whole, base.version))

    def entering(held: Held) -> Sequence[Body]:
        number = len(held.state.entrants)
        name = cleaned(order.name)[:40] or f"{order.bot} {number + 1}"
        check_entry(held, name, order.bot)
        return [Entered(number, name, order.bot)]

    await tournaments.change(held.row.id, entering, cause, lambda held: EntrantRow(entrant=len(held.state.entrants)))


async def close_decided(tournaments: Tournaments, id: str) -> list[str]:
    """Closes matches that go on although their result was given, or the tournament is over; which these were."""
    state = (await tournaments.read(id)).state
    decided = [
        game.match
        for table in state.tables
        for game in table.games
        if game.match is not None and (game.how != "played" if game.shares is not None else state.ended)
    ]
    return await _close(tournaments, decided)


async def delete(tournaments: Tournaments, id: str) -> list[str]:
    """Deletes a tournament and its matches, which these were; whoever is at their tables is told."""
    rooms, held = tournaments.rooms, await tournaments.read(id)
    made = [match for table in held.state.tables for game in table.games for match in game.matches]
    await _close(tournaments, made)
    await tournament_store.delete(rooms.store, id)
    tournaments.held.pop(id, None)
    for match in made:
        await rooms.refresh(match)
    return made


async def _close(tournaments: Tournaments, matches: Sequence[str]) -> list[str]:
    rooms = tournaments.rooms
    statuses = await tournament_store.match_statuses(rooms.store, matches)
    going_on = [match for match, status in statuses.items() if status in ("lobby", "running")]
    for match in going_on:
        await rooms.change(match, lambda room: room.close(rooms.now()))
    return going_on
