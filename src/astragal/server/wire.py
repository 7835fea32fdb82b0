"""What is said over the wire: the commands of a player, and the messages of the server. All JSON, all with a `type`.

The same commands come over a WebSocket and by POST; the same messages go over a WebSocket and a bot's stream.
`GET /api/schema` publishes the JSON Schema of both.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from astragal.core.fair import Fairness, Hex
from astragal.core.record import What
from astragal.core.types import whole
from astragal.server.journal import NO_NUL, Line, Name

MOST_BYTES = 64 * 1024  # of one command
MOST = 2**31 - 1  # of any number

Id = Annotated[
    str,
    Meta(max_length=40, pattern=NO_NUL, description="A key of the client's own, so that a repeated command is known"),
]
Ply = Annotated[int, Meta(ge=0, le=MOST, description="The ply of the table that this answers to")]
Text = Annotated[str, Meta(max_length=2000, pattern=NO_NUL)]
Position = Annotated[str, Meta(min_length=1, max_length=500, pattern=NO_NUL)]


class _Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id = ""


class Act(_Command, frozen=True, tag="act"):
    """Does one of the actions of the seat to act, in the notation of the game."""

    ply: Ply
    text: Text


class Claim(_Command, frozen=True, tag="claim"):
    """Does one of the claims of the table."""

    ply: Ply
    text: Text


class Resign(_Command, frozen=True, tag="resign"):
    """Gives up. With more than two players the others play on."""


class Say(_Command, frozen=True, tag="say"):
    """Says something to the table: own words, or one of the ready phrases."""

    text: Line = ""
    phrase: Annotated[str, Meta(max_length=40)] = ""


class Mute(_Command, frozen=True, tag="mute"):
    """Hears a seat no more, or again."""

    whom: Annotated[int, Meta(ge=0, le=7)]
    on: bool = True


class MoreTime(_Command, frozen=True, tag="more time"):
    """Takes the time that the seat began with once more, where the table allows it or only bots wait."""


class HasShown(_Command, frozen=True, tag="shown"):
    """All that happened up to this ply is on the seat's screen.

    Whoever has said this once is given up to ten seconds before the time of an answer runs, for showing what led to
    the question; saying it again ends them.
    """

    ply: Ply


class Promise(_Command, frozen=True, tag="promise"):
    """Commits the seat to a seed: its SHA-256. Null: the seat brings none, and the record will say so."""

    commitment: Hex | None = None


class Open(_Command, frozen=True, tag="open"):
    """Opens the seed that was promised, once all seats have promised theirs."""

    seed: Hex


class Offer(_Command, frozen=True, tag="offer"):
    """Offers the other players something that needs their consent."""

    what: What


class Answer(_Command, frozen=True, tag="answer"):
    """Answers the open offer."""

    yes: bool


class Withdraw(_Command, frozen=True, tag="withdraw"):
    """Takes back one's own offer."""


class Again(_Command, frozen=True, tag="again"):
    """Wants another match with the same players. `begins` is who begins it, where the rules let this seat choose."""

    begins: Annotated[int, Meta(ge=0, le=7)] | None = None


class Leave(_Command, frozen=True, tag="leave"):
    """Frees the seat again, before the match begins."""


class Return(_Command, frozen=True, tag="return"):
    """Takes the seat back from the bot that played on."""


Command = (
    Act
    | Claim
    | Resign
    | Offer
    | Answer
    | Withdraw
    | MoreTime
    | HasShown
    | Say
    | Mute
    | Promise
    | Open
    | Leave
    | Return
    | Again
)

_commands: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Command)


def read(data: str | bytes) -> Command:
    """A command as a client sent it. Raises msgspec.MsgspecError."""
    command: Command = _commands.decode(data)
    return command


class Choice(Struct, frozen=True):
    """Something the seat may do: what to send, and what it means."""

    text: str
    label: str


class Place(Struct, frozen=True, kw_only=True):
    """A seat at the table."""

    seat: int
    title: str  # what the players call it: Light, Samurai, ...
    player: str  # human, bot:NAME, or open
    name: str = ""
    face: str = ""  # the seed of a player's face, where it has a key and chose one
    ready: bool = True  # taken, and its seed opened if it promised one
    promised: bool = False
    opens: bool = False  # it is this seat's turn to open the seed it promised


class Times(Struct, frozen=True, kw_only=True):
    """The clocks. Times are milliseconds; `falls_at` and `now` count from 1970."""

    now: int
    control: str
    left: tuple[int, ...] = ()  # of every seat; empty without a clock
    running: int | None = None
    falls_at: int | None = None
    answer_from: int | None = None  # from when the time of an answer runs, at the latest
    answer_by: int | None = None  # by when the rules of the game want an answer
    more: bool = False  # whether a player may take more time


class Pending(Struct, frozen=True, kw_only=True):
    """An offer that waits for consent."""

    what: What
    seat: int
    waits_for: tuple[int, ...]
    text: str


class Table(Struct, frozen=True, kw_only=True):
    """How the match stands, as this viewer may know it."""

    match: str
    game: str
    status: Literal["lobby", "running", "paused", "over", "closed"]
    n: int  # the number of the last event
    you: int | None  # your seat; null for a spectator
    ply: int
    turn: int | None  # the seat to act; -1 chance, -2 over, null before the match
    seats: tuple[Place, ...]
    view: Any  # the view of the game, null before the match
    actions: tuple[Choice, ...] = ()
    claims: tuple[Choice, ...] = ()
    open_actions: bool = False  # whether other texts than those of `actions` may be sent
    hints: bool = False  # whether you may ask for a hint at this table
    away: tuple[str, ...] = ()  # of `actions`: what a hint took away, where you are to know something
    times: Times
    offer: Pending | None = None
    can_count: bool = False  # whether the players may agree to count an answer that was refused
    fair: Fairness
    result: tuple[float, ...] | None = None
    outcome: str = ""  # the result as a sentence
    rated: bool = False  # whether it is to change the players' ratings
    again: tuple[int, ...] = ()  # the seats that want another match
    chooser: int | None = None  # the seat that says who begins it, where the rules leave that open
    next_match: str | None = None


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that happened, as this viewer may know it."""

    n: int
    at: int
    kind: str
    text: str
    seat: int | None = None  # who did it; -1 chance, absent for the table
    ply: int = 0  # how many actions and draws stand after it
    notation: str = ""  # what a seat did, as players write it, where nothing is hidden
    event: Any = None  # the event of the game
    view: Any = None  # the view after it, for clients that asked for views
    entry: Any = None  # the event of the table


class OwnData(Struct, frozen=True, kw_only=True):
    """Stands in options for a board, layout or deck of a host's own: its digest, and what it is called."""

    data: str
    name: str


class News(Struct, frozen=True, kw_only=True, tag="news"):
    """What happened since the last news, and how the match stands now."""

    events: tuple[Event, ...]
    table: Table
    data: dict[str, Any] = {}  # what `OwnData` stands for, by its digest; only in news since event 0


class Done(Struct, frozen=True, kw_only=True, tag="done"):
    """A command was carried out and is stored; `n` is the number of its event."""

    id: str = ""
    n: int
    repeated: bool = False


class Refused(Struct, frozen=True, kw_only=True, tag="refused"):
    """A command was refused and changed nothing."""

    id: str = ""
    code: str
    detail: str
    rule: str | None = None


class Presence(Struct, frozen=True, kw_only=True, tag="presence"):
    """Which seats' players are connected (bots always are), and how many others watch."""

    seats: tuple[bool, ...]
    watchers: int = 0


class Beat(Struct, frozen=True, kw_only=True, tag="beat"):
    """The connection lives, and this is the server's time. Only for clients that asked for it."""

    now: int


class Closing(Struct, frozen=True, kw_only=True, tag="closing"):
    """The server goes down; reconnect with the last event you have."""

    text: str


Message = News | Done | Refused | Presence | Beat | Closing


def schemas() -> dict[str, Any]:
    """The JSON Schema of commands and messages."""
    (commands, messages), components = msgspec.json.schema_components([Command, Message], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Astragal over a WebSocket",
        "$defs": {**components, "Command": commands, "Message": messages},
    }


class Absence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens to a player who is gone for so long while the match runs."""

    seconds: Annotated[int, Meta(ge=10, le=30 * 86400)]
    then: Literal["bot", "forfeit"] = "bot"


SeatPlan = Annotated[str, Meta(pattern=whole(r"open|bot:\S{1,60}"))]


class NewMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match to be created."""

    game: Annotated[str, Meta(max_length=60)]
    preset: Annotated[str, Meta(max_length=60)] | None = None
    options: Annotated[dict[str, Any], Meta(max_length=100)] = {}
    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=1, max_length=8)]
    sit: Annotated[int, Meta(ge=0, le=7)] | None = None  # the seat its creator takes; none: only watches
    name: Name = ""
    commitment: Hex | None = None
    clock: Annotated[str, Meta(max_length=40)] = "none"
    listed: bool = False  # shown to everybody and joined by anybody, or only by its link
    watchers: bool = True  # may others watch
    absence: Absence | None = None
    more_time: bool = False  # whether whoever needs more time may take it; against bots alone everybody may
    hints: bool | None = None  # whether players may ask for hints; null: unless a clock runs between humans
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 0  # milliseconds that a bot waits before it moves
    position: Position | None = None  # where it begins, in games without secrets; null: at the beginning
    rated: bool = False  # between players who have signed in, and bots of a known rating: it changes their ratings


class Continuation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match to be created that goes on from the middle of a finished one, against bots."""

    ply: Ply  # of the finished match, after which it goes on
    seat: Annotated[int, Meta(ge=0, le=7)]  # that its creator takes
    bot: Annotated[str, Meta(max_length=60)] = "casual"  # who plays all other seats
    name: Name = ""
    commitment: Hex | None = None
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 0


class Join(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a seat: a free one if none is named. `invite` is the secret of the link."""

    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    name: Name = ""
    commitment: Hex | None = None
    invite: Annotated[str, Meta(max_length=100)] = ""


class Enter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The secret of a seat's own link, to go on with it in this browser."""

    secret: Annotated[str, Meta(max_length=100)]


class Links(Struct, frozen=True, kw_only=True):
    """Addresses on this server. Secrets stand behind the `#`, which browsers keep to themselves."""

    watch: str
    join: str | None = None
    seat: str | None = None


class Seated(Struct, frozen=True, kw_only=True):
    """A match that was created or joined: your seat, its secret, and where to go."""

    match: str
    seat: int | None
    secret: str | None  # for the header `Authorization: Bearer`; browsers have it as a cookie besides
    server_commitment: str
    links: Links


class Summary(Struct, frozen=True, kw_only=True):
    """A match as everybody may see it in a list."""

    match: str
    game: str
    title: str
    status: str
    listed: bool
    watchers: bool
    clock: str
    options: Any  # own boards and decks as `OwnData`
    players: tuple[Place, ...]
    free: tuple[int, ...]
    created_at: int
    changed_at: int
    turn: int | None = None  # the seat to act; -1 chance, -2 over, null before the match
    result: tuple[float, ...] | None = None
    outcome: str = ""  # the result as a sentence
    rated: bool = False


class MatchList(Struct, frozen=True, kw_only=True):
    """A page of a list of matches, and where the next one begins; null: there is none."""

    matches: tuple[Summary, ...]
    after: str | None
