"""Tournaments as they are told: sheets for everybody, the next match of one entrant, and tables for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from astragal.core import registry
from astragal.server import setup
from astragal.server.rooms import Rooms
from astragal.server.tournament_wire import GameSheet, OwnPlace, QuestionReport, RoundSheet, TableSheet, TournamentSheet
from astragal.server.tournaments import Held
from astragal.tournament.conduct import rounds
from astragal.tournament.standings import standings
from astragal.tournament.state import Game, Table

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what spreadsheets take for the beginning of a formula


def sheet(held: Held) -> TournamentSheet:
    """How a tournament stands."""
    state, row = held.state, held.row
    arena = state.plan.format == "arena"
    current = state.open_tables if arena else state.rounds[-1] if state.rounds else []
    return TournamentSheet(
        tournament=row.id,
        title=state.title,
        kind="class" if row.kind == "class" else "tournament",
        game=row.game,
        format=state.plan.format,
        status=state.status,
        n=state.last,
        size=state.plan.size,
        games=state.plan.games,
        clock=setup.read(row.setup).clock,
        no_show=state.plan.no_show,
        rounds=rounds(state),
        round=len(state.rounds),
        began_at=state.began_at,
        ends_at=state.ends_at,
        report=registry.game(row.game).answered is not None,
        standings=tuple(standings(state)),
        playing=tuple(table_sheet(table) for table in current),
        byes=state.byes[-1] if state.byes and not arena else (),
    )


def round_sheets(held: Held) -> tuple[RoundSheet, ...]:
    """All rounds so far."""
    state = held.state
    return tuple(
        RoundSheet(round=n, tables=tuple(table_sheet(table) for table in tables), byes=byes)
        for n, (tables, byes) in enumerate(zip(state.rounds, state.byes, strict=True))
    )


def table_sheet(table: Table) -> TableSheet:
    """A table as everybody may see it."""
    return TableSheet(
        round=table.round,
        table=table.number,
        entrants=table.entrants,
        games=tuple(_game_sheet(table, game) for game in table.games),
        points=tuple(table.points(entrant) for entrant in table.entrants) if table.over else None,
    )


def _game_sheet(table: Table, game: Game) -> GameSheet:
    known = game.how if game.shares is not None else None
    return GameSheet(match=game.match, seats=table.seated(game.number), shares=game.shares, how=known)


async def own(held: Held, entrant: int, rooms: Rooms) -> OwnPlace:
    """What somebody who takes part has to know."""
    state, who = held.state, held.state.entrant(entrant)
    row = next(row for row in standings(state) if row.entrant == entrant)
    known = {"entrant": entrant, "name": who.name, "place": row.place, "points": row.points}
    table = state.table_of(entrant)
    if table is None or state.ended is not None:
        bye = bool(state.byes) and entrant in state.byes[-1]
        return OwnPlace(
            **known,  # type: ignore[arg-type]
            state="over" if state.ended is not None else "withdrawn" if who.withdrawn else "absent" if who.absent
            else "bye" if bye else "waiting",
        )  # fmt: skip
    game = table.current
    order = () if game is None else table.seated(game.number)
    seat = order.index(entrant) if entrant in order else None
    seated, ended, by = False, False, None
    if game is not None and game.match is not None and seat is not None:
        room = await rooms.room(game.match)
        seated, ended = not room.lobby_seats[seat].free, room.status in ("over", "closed")
        if room.status == "lobby" and state.status == "running":
            by = game.opened_at + 1000 * state.plan.no_show
    return OwnPlace(
        **known,  # type: ignore[arg-type]
        state="waiting" if game is None or game.match is None or ended else "play",
        round=table.round + 1,
        game=0 if game is None else game.number + 1,
        match=None if game is None else game.match,
        seat=seat,
        seated=seated,
        opponents=tuple(state.entrant(other).name for other in order if other != entrant),
        by=by,
    )


# Spreadsheets ----------------------------------------------------------------------------------------------------


def safe(cell: object) -> str:
    """A cell that no spreadsheet takes for a formula: names are what people wrote."""
    text = str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(FORMULA) else text


def written(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV, with the mark by which spreadsheets know that it is Unicode."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()


def standings_csv(held: Held) -> str:
    """The standings for a spreadsheet."""
    columns = ("place", "name", "points", "played", "won", "level", "lost", "byes", "buchholz", "berger", "share")
    return written(columns, ([getattr(row, column) for column in columns] for row in standings(held.state)))


def rounds_csv(held: Held) -> str:
    """Every game of every round for a spreadsheet, a row for each entrant."""
    name = {entrant.number: entrant.name for entrant in held.state.entrants}
    rows = []
    for table in held.state.tables:
        for game in table.games:
            for place, entrant in enumerate(table.entrants):
                share = "" if game.shares is None else game.shares[place]
                how = "" if game.shares is None else game.how
                where = (table.round + 1, table.number + 1, game.number + 1)
                rows.append((*where, name[entrant], share, how, game.match or ""))
    return written(("round", "table", "game", "name", "share", "how", "match"), rows)


def report_csv(report: QuestionReport) -> str:
    """The report of a class for a spreadsheet."""
    rows = ((r.level, r.text, r.answer, r.asked, r.right, round(100 * r.right / r.asked)) for r in report.questions)
    return written(("level", "question", "answer", "asked", "right", "percent"), rows)
