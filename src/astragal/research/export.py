"""Games between bots as a Parquet file, for learning from them: a row for every decision.

Games are written in parts beside the file, each under its final name only when it is whole. Whoever is stopped goes on
with the next part; in the end the parts become one file, and a dataset card beside it says how it was made.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from astragal.bots import roster
from astragal.core import options as option_values
from astragal.core import registry
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import OVER, AstragalError, BadOptions
from astragal.research.table import Table

PART = 50  # games
NOTE = "export.json"
FIELDS: dict[str, tuple[Any, str]] = {
    "game": (pa.int32(), "the number of the game, from 0"),
    "seed": (pa.string(), "what its dice and bots are drawn from"),
    "ply": (pa.int32(), "actions and outcomes of chance before this decision"),
    "seat": (pa.int8(), "who decides, from 0"),
    "bot": (pa.string(), "the bot that sits there"),
    "position": (pa.string(), "the position in the notation of the game's rules page, secrets included"),
    "action": (pa.string(), "what was done, in the game's notation"),
    "number": (pa.int32(), "the same as an action of research.vector under these options"),
    "legal": (pa.int32(), "how many actions were legal"),
    "result": (pa.float32(), "this seat's share of the win in the end"),
}
TENSOR = (pa.list_(pa.float32()), "what the seat may know, as research.vector has it under these options")


class Plan(Struct, frozen=True, kw_only=True):
    """What is exported. The same plan gives the same rows."""

    game: str
    version: int
    options: dict[str, Any]
    players: int
    bots: tuple[str, ...]
    games: int
    seed: str
    tensors: bool
    max_plies: int = 20_000


class Done(Struct, frozen=True):
    """What an export has made."""

    file: str
    card: str
    games: int
    rows: int


def plan_of(
    game: Game, chosen: Any, bots: Sequence[str], games: int, *, players: int | None, seed: str, tensors: bool
) -> Plan:
    """Checks what was asked for. Bots take the seats in their order, and begin again from the first."""
    count = players or max(min(game.rules.spec.players), len(bots))
    if not bots or len(bots) > count:
        raise BadOptions("bots", say("{n} bots for {players} seats", n=len(bots), players=count))
    if games < 1:
        raise BadOptions("games", say("must be 1 or more, not {value}", value=games))
    for name in bots:
        roster.make(name, game)
    table = Table(game, chosen, count)
    return Plan(
        game=game.id, version=game.rules.spec.version, options=option_values.to_plain(table.options), players=count,
        bots=tuple(bots), games=games, seed=seed, tensors=tensors,
    )  # fmt: skip


def export(plan: Plan, file: Path, tell: Callable[[int], None] = lambda _games: None) -> Done:
    """Plays what is still to play and writes the file; `tell` hears how many games are done."""
    folder = file.with_name(f"{file.name}.parts")
    _open(plan, file, folder)
    game = registry.game(plan.game)
    parts = []
    for first in range(0, plan.games, PART):
        part = folder / f"{first:09d}.parquet"
        last = min(first + PART, plan.games)
        if not part.is_file():
            table = Table(game, option_values.convert(game.rules, plan.options), plan.players, max_plies=plan.max_plies)
            rows = [row for number in range(first, last) for row in _game(plan, table, number)]
            unfinished = part.with_suffix(".writing")
            pq.write_table(pa.Table.from_pylist(rows, schema=_schema(plan)), unfinished)
            unfinished.replace(part)
        parts.append(part)
        tell(last)
    written = _join(plan, parts, file)
    card = file.with_suffix(".md")
    card.write_text(_card(plan, file, written), encoding="utf-8")
    shutil.rmtree(folder)
    return Done(str(file), str(card), plan.games, written)


def _open(plan: Plan, file: Path, folder: Path) -> None:
    """Makes the folder of the parts, or goes on with it if it is the same plan's."""
    if file.exists():
        raise AstragalError(say("{file} is there already", file=str(file)))
    note = folder / NOTE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if note.is_file():
            if msgspec.json.decode(note.read_bytes(), type=Plan) != msgspec.convert(msgspec.to_builtins(plan), Plan):
                raise AstragalError(
                    say(
                        "{folder} holds the parts of another export; remove it or name another file", folder=str(folder)
                    )
                )
        else:
            note.write_bytes(msgspec.json.encode(plan))
    except OSError as error:
        raise AstragalError(
            say("{file} cannot be written: {reason}", file=str(file), reason=error.strerror or "")
        ) from None


def _game(plan: Plan, table: Table, number: int) -> Iterator[dict[str, Any]]:
    """One game, as the rows of its decisions."""
    seed = f"{plan.seed}|{number}"
    names = [plan.bots[(seat + number) % len(plan.bots)] for seat in range(plan.players)]
    bots = {name: roster.make(name, table.game, claims=False) for name in names}
    rng = Random(seed)
    table.begin(rng)
    rows = []
    while (seat := table.seat) != OVER:
        action = bots[names[seat]].choose(table.view(seat), rng).action
        chosen = table.number(action)
        rows.append(
            {
                "game": number,
                "seed": seed,
                "ply": table.plies,
                "seat": seat,
                "bot": names[seat],
                "position": table.rules.position(table.state),
                "action": table.rules.encode(action),
                "number": chosen,
                "legal": len(table.legal()),
                **({"tensor": table.observe(seat).tolist()} if plan.tensors else {}),
            }
        )
        table.act(chosen)
    for row in rows:
        yield row | {"result": table.rewards()[row["seat"]]}


def _schema(plan: Plan) -> Any:
    fields = FIELDS | ({"tensor": TENSOR} if plan.tensors else {})
    about = {"astragal": msgspec.json.encode(plan).decode()}
    return pa.schema([pa.field(name, kind) for name, (kind, _) in fields.items()], metadata=about)


def _join(plan: Plan, parts: Sequence[Path], file: Path) -> int:
    """One file of all parts, a row group each; how many rows."""
    unfinished, written = file.with_name(f"{file.name}.writing"), 0
    with pq.ParquetWriter(unfinished, _schema(plan)) as writer:
        for part in parts:
            read = pq.read_table(part)
            writer.write_table(read)
            written += read.num_rows
    unfinished.replace(file)
    return written


def _card(plan: Plan, file: Path, rows: int) -> str:
    """The dataset card."""
    fields = FIELDS | ({"tensor": TENSOR} if plan.tensors else {})
    columns = "\n".join(f"| `{name}` | {kind} | {text} |" for name, (kind, text) in fields.items())
    options = msgspec.json.format(msgspec.json.encode(plan.options), indent=1).decode()
    return f"""# {file.name}

{plan.games} games of `{plan.game}` (rules version {plan.version}) with {plan.players} players, played by programs:
{rows} decisions, a row each. Bots: {", ".join(plan.bots)}; they change seats from game to game.

Made by `astragal research export` with the seed `{plan.seed}`. Game k takes its dice and the bots' luck from the seed
`{plan.seed}|k`; the same command gives the same rows, unless a bot's thinking is limited by time. A game that takes
{plan.max_plies} plies is broken off and shared. Nobody's personal data is in it.

| column | type | what it is |
|---|---|---|
{columns}

Options:

```json
{options}
```
"""
