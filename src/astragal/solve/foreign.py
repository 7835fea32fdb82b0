"""Tables that come from elsewhere or go there: copies of ours, and files of other programs that a game knows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from astragal.core import options as option_values
from astragal.core import registry
from astragal.core.fast import Array
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.solvable import BadTable, TableFormat
from astragal.core.types import AstragalError
from astragal.solve import audit, shelf, table
from astragal.solve.kernels_sweep import ONE
from astragal.solve.machine import PART
from astragal.solve.positions import Positions, index_of
from astragal.solve.table import Table, TableHeader

OURS = "table"
FURTHEST = 0.005  # values that follow from each other worse than this are not those of the game


def formats() -> dict[str, tuple[Game, TableFormat]]:
    """The formats of other programs by their names, each with its game."""
    return {
        name: (game, kind)
        for game in registry.games().values()
        if game.index is not None
        for name, kind in game.table_formats().items()
    }


def format_of(file: Path, wanted: str | None) -> str:
    """The format of a file: the one asked for, or that of its ending. Raises BadTable."""
    name = wanted or file.suffix.removeprefix(".") or OURS
    known = [OURS, *formats()]
    if name not in known:
        raise BadTable(say("there is no format {name!r}; the formats are: {known}", name=name, known=", ".join(known)))
    return name


def export(source: Table, file: Path, wanted: str | None = None) -> None:
    """Writes a table to a file in some format. Raises AstragalError."""
    if file.exists():
        raise BadTable(say("{file} is there already", file=str(file)))
    name = format_of(file, wanted)
    try:
        if name == OURS:
            shutil.copyfile(source.file, file)
            return
        game, kind = formats()[name]
        if source.header.game != game.id:
            raise BadTable(say("the format {name} is for {game} only", name=name, game=game.id))
        options = option_values.convert(game.rules, source.header.options)
        source.check_for(game, options)
        most = (1 << source.header.bits) - 1
        kind.write(file, options, index_of(game, options), lambda ranks: source.values[ranks] / most)
    except OSError as error:
        raise BadTable(say("{file} cannot be written: {reason}", file=str(file), reason=error.strerror or "")) from None


def bring_in(file: Path, wanted: str | None = None) -> Table:
    """Puts a table from elsewhere among this user's, if it is whole and right. Raises AstragalError."""
    name = format_of(file, wanted)
    folder = shelf.folder()
    folder.mkdir(parents=True, exist_ok=True)
    if name == OURS:
        return _bring_own(Table(file), folder)
    game, kind = formats()[name]
    options, author = kind.about(file)
    target = _free(folder, game, options)
    index = index_of(game, options)
    values = np.zeros(index.size, dtype=np.uint32)
    for ranks, chances in kind.read(file, options, index):
        values[ranks] = np.rint(chances * ONE)
    positions = Positions(game, options, index)
    first = positions.rank(positions.first)
    header = TableHeader(
        game=game.id,
        version=game.rules.spec.version,
        options=table.solved_options(options),
        positions=index.size,
        bits=16,
        precision=FURTHEST,
        convention="ends" if index.ends else "half",
        value=float(values[first]) / ONE,
        source=f"{name}: {author}" if author else name,
        checksum="",
    )
    return _written(target, header, values, game)


def _bring_own(source: Table, folder: Path) -> Table:
    game = registry.game(source.header.game)
    options = option_values.convert(game.rules, source.header.options)
    source.check_for(game, options)
    if not source.intact():
        raise BadTable(say("{file} is damaged: its checksum is wrong", file=str(source.file)))
    _check_sample(source, game)
    target = _free(folder, game, options)
    unfinished = target.with_suffix(".writing")
    shutil.copyfile(source.file, unfinished)
    unfinished.replace(target)
    return Table(target)


def _written(target: Path, header: TableHeader, values: Array, game: Game) -> Table:
    """Writes a table in two goes: how precise it is shows when it is there."""
    aside = target.with_suffix(".coming")

    def write(made: TableHeader) -> Table:
        parts = (values[start : start + PART] for start in range(0, len(values), PART))
        table.write(aside, lambda checksum: replace(made, checksum=checksum), parts, 16)
        return Table(aside)

    try:
        worst = _check_sample(write(header), game)
        write(replace(header, precision=max(worst, 1.0 / 65535)))
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    return Table(target)


def _check_sample(made: Table, game: Game) -> float:
    """How far a sample of values is from what follows from the others. Raises BadTable if that is too far."""
    checked = audit.bellman(made, game)
    if checked.wrong:
        raise BadTable(
            say(
                "these are not the values of this game: one of a sample is off by {worst}", worst=f"{checked.worst:.4f}"
            )
        )
    return checked.worst


def _free(folder: Path, game: Game, options: Any) -> Path:
    target = folder / table.name_of(game, options)
    if target.exists():
        raise AstragalError(say("there is a table for these rules already: {file}", file=str(target)))
    return target
