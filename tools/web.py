"""What the browser client has from the rules: `make web-types`. With --check it only says which files are stale.

It writes, and nobody writes by hand:

- `web/src/generated/*.ts`: the types of each game's view, actions, events and options, and those of the wire,
- `web/src/generated/*.json`: the boards and tiles that come with each game,
- `web/tests/signed-record.json`: a signed record, for the test of the browser's own check,
- `web/fixtures/*.json`: real positions of real games, for tests of the boards and for the gallery (`npm run dev`).
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
from msgspec import Struct

import astragal
from astragal.analysis.puzzle_sheet import PuzzleAnswer, PuzzleTask
from astragal.core import recordjson, signing
from astragal.core.fair import Abandoned, Fairness
from astragal.core.lesson import Page
from astragal.core.options import fields
from astragal.core.record import Seat
from astragal.core.rules import Game
from astragal.play.match import Match
from astragal.server import hall_wire, wire
from astragal.server.api_explore import Exploration, Standing
from astragal.server.api_games import Ahead, GameInfo, Opponents, OwnFile, ReadFile
from astragal.server.api_matches import Foreseen, Hint
from astragal.server.api_meeting import OwnTicket, QuickMatch
from astragal.server.api_players import Challenge, SignedIn, SignIn
from astragal.server.api_puzzles import PuzzleList, PuzzleSight
from astragal.server.api_ratings import Leaderboard, MatchRating, Pools, Profile
from astragal.server.api_reminders import NewWishes, ReminderState
from astragal.server.api_reviews import Decision
from astragal.server.host_wire import (
    AnyHostOrder,
    Backups,
    HostLimit,
    HostMatches,
    HostPlayer,
    HostTournament,
    Overview,
    Storage,
)
from astragal.server.keys import PublicKeys
from astragal.server.players import OwnSeat
from astragal.server.recent_log import LogLine
from astragal.server.reviews import ReviewState
from astragal.server.tournament_wire import (
    Asker,
    ListedTournament,
    MadeTournament,
    NewTournament,
    Order,
    QuestionReport,
    RoundSheet,
    Taking,
    TournamentSheet,
)

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
MOST_PLIES = 400
MOST_FORESEEN = 40
SHOWN_PLIES = 60  # of the playthrough that the gallery plays


# What is special about one game -------------------------------------------------------------------------------------


class Fixtures(Struct, frozen=True, forbid_unknown_fields=True):
    """For the fixtures."""

    tables: tuple[dict[str, Any], ...] = ()  # the options of further tables
    foreseen: dict[str, Any] | None = None  # the options of tables whose scenes hold previews; None: none do


class Screenshots(Struct, frozen=True, forbid_unknown_fields=True):
    """For `tools/screenshots.py`."""

    options: dict[str, Any] = {}  # of every match
    short: dict[str, Any] | None = None  # options under which a match is played to its end; None: it is given up
    moments: dict[str, dict[str, str]] = {}  # further pictures of a table: what its view must hold by then
    docs: dict[str, tuple[str, str, int]] = {}  # picture of the documentation: scene, look, width


class Scenes(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    fixtures: Fixtures = Fixtures()
    screenshots: Screenshots = Screenshots()


def scenes(game: str) -> Scenes:
    """What the fixtures and the screenshots show of this game beyond what they show of any.

    The file lies with the board, so that no tool names a game; a game without one needs none.
    """
    file = WEB / "src" / "boards" / game / "scenes.toml"
    return msgspec.toml.decode(file.read_bytes(), type=Scenes) if file.is_file() else Scenes()


# Types --------------------------------------------------------------------------------------------------------------

REQUESTS = (
    *(wire.NewMatch, wire.Continuation, wire.Join, wire.Enter, wire.Absence, SignIn, *get_args(wire.Command)),
    *(NewTournament, *get_args(Order), *get_args(AnyHostOrder)),
)
SPARSE = (wire.Event, Fairness)  # sent without what is at its default


def schema(parts: dict[str, Any], sparse: tuple[type, ...] = ()) -> dict[str, Any]:
    """One JSON Schema with these types in it, each under its name."""
    schemas, defs = msgspec.json.schema_components(list(parts.values()), ref_template="#/$defs/{name}")
    for name, one in defs.items():  # what has a default is sent all the same
        if "properties" in one and name not in {kind.__name__ for kind in sparse}:
            one["required"] = list(one["properties"])
        if "description" in one:  # from Python 3.13 on docstrings come without their indentation
            one["description"] = inspect.cleandoc(one["description"])
    properties = dict(zip(parts, schemas, strict=True))
    return {"title": "All", "type": "object", "properties": properties, "required": list(properties), "$defs": defs}


def schemas() -> dict[str, Any]:
    """The schema of the wire and of every game, by the name of its file."""
    said = {"command": wire.Command, "message": wire.Message, "seated": wire.Seated, "summary": wire.Summary}
    said |= {"matchList": wire.MatchList, "ownData": wire.OwnData}
    asked: dict[str, Any] = {
        "newMatch": wire.NewMatch,
        "join": wire.Join,
        "game": GameInfo,
        "hint": Hint,
        "foreseen": Foreseen,
    }
    asked |= {"keys": PublicKeys, "lesson": Page, "ahead": Ahead, "ownFile": OwnFile, "readFile": ReadFile}
    asked |= {"opponents": Opponents, "review": ReviewState, "decision": Decision}
    asked |= {"puzzles": PuzzleList, "puzzle": PuzzleTask, "puzzleAnswer": PuzzleAnswer, "puzzleSight": PuzzleSight}
    said |= {"hallMessage": hall_wire.Message, "hallCommand": hall_wire.Command}
    asked |= {"quickMatch": QuickMatch, "ownTicket": OwnTicket, "reminderState": ReminderState, "newWishes": NewWishes}
    asked |= {"pools": Pools, "leaderboard": Leaderboard, "profile": Profile, "matchRating": MatchRating}
    asked |= {"exploration": Exploration, "standing": Standing, "continuation": wire.Continuation}
    asked |= {"challenge": Challenge, "signIn": SignIn, "signedIn": SignedIn, "ownSeat": OwnSeat}
    asked |= {"newTournament": NewTournament, "madeTournament": MadeTournament, "order": Order, "taking": Taking}
    asked |= {"overview": Overview, "hostMatches": HostMatches, "hostPlayer": HostPlayer, "hostLimit": HostLimit}
    asked |= {"hostTournament": HostTournament, "backups": Backups, "storage": Storage}
    asked |= {"logLine": LogLine, "hostOrder": AnyHostOrder}
    asked |= {"tournament": TournamentSheet, "round": RoundSheet, "asker": Asker, "questions": QuestionReport}
    asked |= {"listedTournament": ListedTournament}
    return {"wire": schema(said | asked, REQUESTS + SPARSE)} | {
        id: schema(
            {
                "view": game.rules.view_type,
                "action": game.rules.action_type,
                "event": game.rules.event_type,
                "options": game.rules.options_type,
            }
        )
        for id, game in drawn().items()
    }


def types() -> dict[str, str]:
    """The same as TypeScript."""
    script = WEB / "scripts" / "types.mjs"
    done = subprocess.run(
        ["node", str(script)], input=json.dumps(schemas()), capture_output=True, encoding="utf-8", check=True
    )
    written: dict[str, str] = json.loads(done.stdout)
    return written


def drawn() -> dict[str, Game]:
    """The games that have a board here; others that happen to be installed are no business of this repository."""
    return {id: game for id, game in astragal.games().items() if (WEB / "src" / "boards" / id).is_dir()}


def data(game: Game) -> dict[str, Any]:
    """The boards and tiles shipped with a game, by the names of their files; the deck of cards stays a secret."""
    folder = Path(sys.modules[type(game.rules).__module__].__file__ or "").parent / "data"
    named = [
        (f"{field.name}-{word}", str(word)) for field in fields(game.rules) if field.file_type for word in field.words
    ]
    files = (folder / f"{stem}.toml" for stems in named for stem in stems)
    return {file.stem: tomllib.loads(file.read_text("utf-8")) for file in files if file.is_file()}


# Fixtures ------------------------------------------------------------------------------------------------------------


def fixtures(game: Game) -> dict[str, Any]:
    """A playthrough for a spectator, and a scene of every kind that a seat or a spectator meets."""
    kept: dict[str, Any] = {}
    for number, (players, preset, options) in enumerate(_tables(game)):
        kinds: dict[str, list[Any]] = {}
        for name, scene in _scenes(game, players, options, f"web-{number}"):
            kinds.setdefault(name, []).append(scene)
        for name, scenes in kinds.items():  # every scene of the first table, of the others only what looks different
            if number == 0 or "may" in name or "over" in name:
                kept[f"{preset}, {players}: {name}"] = scenes[len(scenes) // 2]
    for scene in kept.values():
        if foreseen := _foreseen(game, scene):
            scene["foreseen"] = foreseen
    return {"game": game.id, "title": game.rules.spec.title, "playthrough": _playthrough(game), "scenes": kept}


def _foreseen(game: Game, scene: dict[str, Any]) -> dict[str, Any]:
    """What the server would answer to a preview, for every line of play of the turn: by its actions."""
    rules, seat, views = game.rules, scene["you"], dict[str, Any]()
    wanted = scenes(game.id).fixtures.foreseen
    if wanted is None or not wanted.items() <= scene["view"]["options"].items():
        return views
    state = rules.resample(msgspec.convert(scene["view"], rules.view_type), Random(1))
    lines: list[tuple[tuple[str, ...], Any]] = [((), state)]
    while lines and len(views) < MOST_FORESEEN:
        texts, state = lines.pop(0)
        for action in rules.observe(state, seat).legal if rules.turn(state) == seat else ():
            text = rules.encode(action)
            if text in ("stop", "pass"):
                continue
            after = rules.apply(state, action)
            lines.append(((*texts, text), after))
            views[" ".join((*texts, text))] = msgspec.to_builtins(rules.observe(after, seat))
    return views


def _tables(game: Game) -> Iterator[tuple[int, str, Any]]:
    """Every number of players, every preset, and the other values of the options that change what is seen."""
    rules = game.rules
    first, *others = rules.presets.items()
    for players in rules.spec.players:
        yield players, *first
    for preset, options in others:
        yield rules.spec.players[0], preset, options
    for changed in scenes(game.id).fixtures.tables:
        name = ", ".join(map(str, changed.values()))
        yield rules.spec.players[0], name, msgspec.structs.replace(first[1], **changed)


def _start(game: Game, players: int, options: Any, seed: str) -> Match:
    return Match.start(
        game, options, [Seat("human", name) for name in ("Ada", "Ben", "Cleo", "Dan")[:players]], seed=seed
    )


def _step(match: Match, game: Game) -> Any:
    """One thing more; people play what the greedy bot advises, and their questions are answered with option B."""
    happening = match.step()
    if happening is not None:
        return happening
    seat = match.turn
    legal = match.view(seat).legal
    texts = [game.rules.encode(action) for action in legal]
    if "B" in texts:
        return match.act(seat, legal[texts.index("B")])
    return match.follow(seat, match.think(seat, "greedy"))


def _seen(match: Match, happening: Any, game: Game, viewer: int | None) -> dict[str, Any]:
    """The table as the wire tells it to one viewer, and the event that led to it."""
    rules, look = game.rules, game.presentation
    view = match.view(viewer)
    event = None if happening is None else happening.event(viewer)
    return {
        "you": viewer,
        "ply": match.ply,
        "turn": match.turn,
        "seats": [
            {"seat": n, "title": look.seat_name(n, "en", view), "player": seat.player, "name": seat.name}
            for n, seat in enumerate(match.seats)
        ],
        "view": msgspec.to_builtins(view),
        "actions": [{"text": rules.encode(a), "label": look.label(view, a, "en")} for a in view.legal],
        "event": msgspec.to_builtins(event),
        "text": "" if event is None else look.say(event, "en"),
    }


def _scenes(game: Game, players: int, options: Any, seed: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Named by the viewer, what just happened and what can be done."""
    match, happening = _start(game, players, options, seed), None
    while match.ply < MOST_PLIES:
        for viewer in (0, 1, None):
            scene = _seen(match, happening, game, viewer)
            tag = "over" if match.over else scene["event"]["type"] if scene["event"] else "start"
            kinds = sorted({action["type"] for action in scene["view"]["legal"]})
            who = "watching" if viewer is None else f"seat {viewer + 1}"
            if viewer != 1 or kinds:
                yield f"{who}, {tag}" + (f", may {' or '.join(kinds)}" if kinds else ""), scene
        if match.over:
            return
        happening = _step(match, game)


def _playthrough(game: Game) -> list[dict[str, Any]]:
    """The first plies of one game, as a spectator sees them."""
    match, happening = _start(game, game.rules.spec.players[0], None, "web"), None
    seen: list[dict[str, Any]] = []
    while len(seen) < SHOWN_PLIES and not match.over:
        seen.append(_seen(match, happening, game, None))
        happening = _step(match, game)
    return seen


def signed_record() -> str:
    """A record as a server gives it away: signed, with a seat that was given up, and names that need care in JSON."""
    seats = [Seat("human", 'Zoë "2" \\ ☥'), Seat("human", "Ben 🏺")]
    ours = (game for game in drawn().values() if type(game.rules).__module__.startswith("astragal."))
    game = next(game for game in ours if not game.rules.spec.hidden)
    match = Match.start(game, None, seats, seed="web", match="signed")
    while match.ply < 40:
        _step(match, game)
    match.agree_draw()
    kept = match.record()
    gone = Abandoned(seat=1, name="Ben 🏺", why="late", commitment="1" * 64, server_commitment="2" * 64)
    fair = msgspec.structs.replace(kept.header.fair, abandoned=(gone,))
    kept = msgspec.structs.replace(kept, header=msgspec.structs.replace(kept.header, fair=fair))
    return recordjson.to_json(signing.sign(kept, "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))


# Writing -------------------------------------------------------------------------------------------------------------


def wanted() -> dict[Path, str]:
    """Every generated file and what it should say."""
    files = {WEB / "src" / "generated" / f"{name}.ts": text for name, text in types().items()}
    for id, game in drawn().items():
        files[WEB / "src" / "generated" / f"{id}.json"] = json.dumps(data(game), indent=1, ensure_ascii=False) + "\n"
        files[WEB / "fixtures" / f"{id}.json"] = json.dumps(fixtures(game), ensure_ascii=False) + "\n"
    files[WEB / "tests" / "signed-record.json"] = signed_record()
    return files


def main() -> None:
    """Writes what is stale, or with --check fails if anything is."""
    check = "--check" in sys.argv[1:]
    files = wanted()
    stale = [file for file, text in files.items() if not file.is_file() or file.read_text("utf-8") != text]
    for file in stale:
        print(file.relative_to(ROOT))
        if not check:
            file.parent.mkdir(exist_ok=True, parents=True)
            file.write_text(files[file], "utf-8")
    if check and stale:
        raise SystemExit("stale: run `make web-types`")


if __name__ == "__main__":
    main()
