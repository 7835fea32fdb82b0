"""Golden playthroughs: `make golden` writes them anew, test_golden.py compares.

Each shows the start of one match of two random bots move by move, with everything a player could do, and its end.
A changed file means that a rule, a notation or a sentence changed: read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

import astragal
from astragal.core.record import Seat
from astragal.core.rules import BaseOptions, Game
from astragal.play.match import Match

FOLDER = Path(__file__).parent / "golden"
SHOWN, MOST = 40, 600


def playthroughs() -> Iterator[tuple[str, str]]:
    """Every file's name and content."""
    for id, game in astragal.games().items():
        for preset, options in game.rules.presets.items():
            for players in game.rules.spec.players:
                yield f"{id}-{preset}-{players}.txt", playthrough(game, preset, options, players)


def playthrough(game: Game, preset: str, options: BaseOptions, players: int) -> str:
    """One match as text."""
    match = Match.start(game, options, [Seat("bot:random")] * players, seed=f"golden-{preset}")
    rules, look = game.rules, game.presentation
    out = [
        f"game {game.id} {rules.spec.version}, preset {preset}, {players} players",
        msgspec.json.encode(options).decode(),
    ]
    while match.ply < MOST and not match.over:
        shown = match.ply < SHOWN
        if shown and match.turn >= 0:
            view = match.view(match.turn)
            out += ["", look.text(view)]
            out += [f"  {rules.encode(action)}: {look.label(view, action, 'en')}" for action in view.legal]
        happening = match.step()
        assert happening is not None
        if shown:
            out.append(f"{match.ply}. {look.say(happening.event(None), 'en')}")
    out += [
        "",
        f"after {match.ply} plies: {match.result}",
        look.text(match.view(None)),
        look.plain(match.view(None), "en"),
    ]
    out.append(f"record {match.record().digest()}")
    return "\n".join(out) + "\n"


def main() -> None:
    """Writes all files and removes those of games that are gone."""
    FOLDER.mkdir(exist_ok=True)
    wanted = dict(playthroughs())
    for name, content in wanted.items():
        (FOLDER / name).write_text(content, "utf-8")
    for file in FOLDER.glob("*.txt"):
        if file.name not in wanted:
            file.unlink()
    print(f"{len(wanted)} playthroughs in {FOLDER}")


if __name__ == "__main__":
    main()
