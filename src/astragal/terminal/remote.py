"""A bot that plays on a server, over the plain bot API: a stream of lines in, a request for every action out.

It comes back by itself when the connection or the server is gone for a while, and waits as long as the server asks it
to. What it has decided in a position it says again in the same words, so that a repeated request does no harm.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from astragal import bots
from astragal.core import registry
from astragal.core.language import Text, say
from astragal.core.player_key import PlayerKey
from astragal.core.types import AstragalError

SILENCE = 90.0  # seconds without even an empty line, after which a connection counts as broken
PATIENCE = 600.0  # seconds without any answer, after which the server counts as gone
SESSION = 12 * 3600.0  # seconds after which one signs in again; sessions last twice as long
LONGEST_PAUSE = 30.0  # seconds between two attempts to come back
CONSENTS = ("takeback", "takeback-seen", "pause", "resume", "count")  # a bot agrees to these, and to no draw

Tell = Callable[[Text], None]


class Seat(Struct, frozen=True):
    """A seat at a table of the server."""

    match: str
    secret: str
    join: str = ""  # the link by which others join


class Played(Struct, frozen=True):
    """How a match ended."""

    match: str
    seat: int
    result: tuple[float, ...]
    outcome: str


class Server:
    """A server of Astragal, asked again for as long as it may only be away or busy."""

    def __init__(self, address: str, password: str, lang: str, tell: Tell) -> None:
        parts = urllib.parse.urlsplit(address if "://" in address else f"http://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise AstragalError(say("{address} is no address of a server; write https://HOST", address=address))
        self.address = f"{parts.scheme}://{parts.netloc}"
        self.tell = tell
        self._headers = {"Accept-Language": lang}
        self._signed_in: float | None = None  # when
        if password:
            self._headers["Astragal-Pass"] = self.ask("/api/login", {"password": password})["pass"]

    def sign_in(self, key: PlayerKey, name: str) -> None:
        """As this player from now on; does nothing if that was done not long ago."""
        if self._signed_in is not None and time.monotonic() - self._signed_in < SESSION:
            return
        nonce = self.ask("/api/players/challenge", {})["nonce"]
        signature = key.sign(self.address.lower(), nonce)
        answer = self.ask(
            "/api/players/session", {"key": key.key, "nonce": nonce, "signature": signature, "name": name}
        )
        self._headers["Astragal-Player"] = answer["session"]
        self._signed_in = time.monotonic()

    def ask(self, path: str, body: Any = None, secret: str = "") -> Any:
        """What the server answers to a request. Raises AstragalError with what it says if it refuses."""
        content = None if body is None else json.dumps(body).encode()
        last, pause = time.monotonic(), 1.0
        while True:
            try:
                with self.open(path, content, secret) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                self.wait_or_raise(error)
                last, pause = time.monotonic(), 1.0
            except (OSError, http.client.HTTPException) as error:
                pause = self.pause(error, last, pause)

    def open(self, path: str, content: bytes | None = None, secret: str = "") -> Any:
        """An answer that is still to be read."""
        headers = {**self._headers, **({"Authorization": f"Bearer {secret}"} if secret else {})}
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self.address}{path}", content, headers)  # noqa: S310  http, https
        return urllib.request.urlopen(request, timeout=SILENCE)  # noqa: S310

    def wait_or_raise(self, error: urllib.error.HTTPError) -> None:
        """Waits as long as a server that is busy asks to. Raises AstragalError for any other refusal."""
        with error:
            content, wait = error.read(), error.headers.get("Retry-After", "")
        if error.code in (429, 503) and wait.isdecimal():
            self.tell(say("The server asks to wait {seconds} s.", seconds=wait))
            time.sleep(int(wait))
            return
        if error.code in (502, 504):  # a proxy whose server is just being started anew
            time.sleep(1)
            return
        try:
            reason = str(json.loads(content)["detail"])
        except (ValueError, KeyError, TypeError):
            reason = f"HTTP {error.code}"
        raise Refused(error.code, say("the server refuses: {reason}", reason=reason))

    def pause(self, error: Exception, last: float, pause: float) -> float:
        """Waits before the next attempt, and says how long to wait after that. Raises AstragalError in the end."""
        reason = str(getattr(error, "reason", "") or error or type(error).__name__)
        if time.monotonic() - last > PATIENCE:
            raise AstragalError(
                say("{address} does not answer: {reason}", address=self.address, reason=reason)
            ) from None
        self.tell(say("No connection ({reason}); trying again in {seconds} s.", reason=reason, seconds=round(pause)))
        time.sleep(pause)
        return min(2 * pause, LONGEST_PAUSE)


class Refused(AstragalError):
    """The server refuses a request."""

    def __init__(self, status: int, text: Text) -> None:
        super().__init__(text)
        self.status = status


def create(server: Server, game: str, against: tuple[str, ...], name: str, preset: str, options: Any) -> Seat:
    """A seat in a match of one's own, against bots of the server or whoever joins (`open`)."""
    others = [seat if seat == "open" else f"bot:{seat}" for seat in against]
    wanted = {"game": game, "seats": ["open", *others], "sit": 0, "name": name, "options": options}
    seat = server.ask("/api/matches", {**wanted, "preset": preset} if preset else wanted)
    return Seat(seat["match"], seat["secret"], f"{server.address}{seat['links']['join']}" if "open" in against else "")


def join(server: Server, link: str, name: str) -> Seat:
    """A seat in somebody else's match, by the link they have sent: `https://HOST/join/MATCH#INVITE`."""
    parts = urllib.parse.urlsplit(link)
    match = parts.path.rpartition("/")[2]
    if not match:
        raise AstragalError(say("{link} is no link to join a match by", link=link))
    seat = server.ask(f"/api/matches/{match}/seats", {"name": name, "invite": parts.fragment})
    return Seat(match, seat["secret"])


class Player:
    """A bot on a seat. It plays until the match is over."""

    def __init__(self, server: Server, seat: Seat, bot: str, rng: Random) -> None:
        self._server, self._seat, self._rng = server, seat, rng
        self._home = f"/api/matches/{seat.match}"
        self._spec = bot
        self._bot: bots.Bot | None = None
        self._decided: tuple[int, dict[str, Any]] | None = None  # the ply, and what is said in it
        self._answered: Any = None  # the offer that was answered last
        self._data: dict[str, Any] = {}  # boards and the like of a host's own, by digest

    def play(self) -> Played:
        """To the end of the match. Raises AstragalError if the host closes it."""
        last, pause = time.monotonic(), 1.0
        while True:
            try:
                for table in self._tables():
                    last, pause = time.monotonic(), 1.0
                    if table["status"] == "over":
                        return Played(table["match"], table["you"], tuple(table["result"]), table["outcome"])
                    if table["status"] == "closed":
                        raise AstragalError(say("match {match} was closed by its host", match=self._seat.match))
                    self._react(table)
                reason: Exception = ConnectionError("the stream ended")
            except urllib.error.HTTPError as error:
                self._server.wait_or_raise(error)
                continue
            except (OSError, http.client.HTTPException, ValueError) as error:  # ValueError: half a line
                reason = error
            pause = self._server.pause(reason, last, pause)

    def _tables(self) -> Iterator[dict[str, Any]]:
        """How the match stands, again and again, until the stream ends."""
        with self._server.open(f"{self._home}/stream", secret=self._seat.secret) as lines:
            for line in lines:
                message = json.loads(line) if line.strip() else {}  # an empty line: still here
                self._data |= message.get("data") or {}
                if "table" in message:
                    yield message["table"]

    def _react(self, table: dict[str, Any]) -> None:
        offer, seat = table.get("offer"), table["you"]
        if offer and seat in offer["waits_for"] and offer != self._answered:
            self._answered = offer
            self._send({"type": "answer", "yes": offer["what"] in CONSENTS})
        elif table["actions"]:
            if self._decided is None or self._decided[0] != table["ply"]:
                self._decided = (table["ply"], self._decide(table))
            self._send(self._decided[1])

    def _decide(self, table: dict[str, Any]) -> dict[str, Any]:
        game = registry.game(table["game"])
        if self._bot is None:
            self._bot = bots.make(self._spec, game)
        view = self._view(game.rules.view_type, table["view"])
        choice = self._bot.choose(view, self._rng)
        if choice.fault is not None:
            self._server.tell(choice.fault)
        kind = "claim" if choice.claim else "act"
        return {"type": kind, "ply": table["ply"], "text": game.rules.encode(choice.action)}

    def _view(self, kind: Any, plain: dict[str, Any]) -> Any:
        """The view, with boards of a host's own put back where only their digests stand."""
        options = {
            name: self._own_data(value["data"]) if isinstance(value, dict) and set(value) == {"data", "name"} else value
            for name, value in plain.get("options", {}).items()
        }
        try:
            return msgspec.convert({**plain, "options": options} if options else plain, kind)
        except msgspec.ValidationError as error:
            text = say("this match has a board or deck of its host's own that a bot cannot be told: {reason}",
                       reason=str(error))  # fmt: skip
            raise AstragalError(text) from None

    def _own_data(self, digest: str) -> Any:
        if digest not in self._data:
            self._data[digest] = self._server.ask(f"{self._home}/data/{digest}", secret=self._seat.secret)
        return self._data[digest]

    def _send(self, command: dict[str, Any]) -> None:
        try:
            self._server.ask(f"{self._home}/commands", command, self._seat.secret)
        except Refused as error:
            if error.status != 409:  # too late: the match has gone on meanwhile, and the next table says how
                raise
