"""What ratings need to know of a match, gathered from its log."""

from __future__ import annotations

from astragal.core.record import Acted, HandedOver, Resigned, TimedOut, TookBack, is_bot
from astragal.core.types import PASS
from astragal.ratings.rules import Facts
from astragal.server.journal import Began, Hinted
from astragal.server.room_state import RoomState


def facts(room: RoomState) -> Facts | None:
    """The facts of a rated match that is over or closed; None if it never began. Only the log decides."""
    began = next((kept.body for kept in room.log if isinstance(kept.body, Began)), None)
    if began is None or room.match is None:
        return None
    seated = began.header.seats
    known = [lobby_seat.identity for lobby_seat in room.lobby_seats]
    houses = [who.house for who in known if who is not None and who.house is not None]
    bodies = [kept.body for kept in room.log]
    acts = [body for body in bodies if isinstance(body, Acted)]
    decided = [act.seat for act in acts if act.action != PASS]
    result = room.match.result
    return Facts(
        match=room.id,
        game=room.game.id,
        ended_ms=_ended(room, over=result is not None),
        players=tuple(
            seat.player if is_bot(seat) else (None if who is None else who.player)
            for seat, who in zip(seated, known, strict=True)
        ),
        result=result,
        first=acts[0].seat if acts else None,
        decisions=tuple(decided.count(seat) for seat in range(len(seated))),
        gave_up=tuple(sorted({body.seat for body in bodies if isinstance(body, Resigned | TimedOut)})),
        one_address=len(set(houses)) < len(houses),
        handed_over=any(isinstance(body, HandedOver) for body in bodies),
        helped=any(isinstance(body, TookBack | Hinted) for body in bodies),
    )


def _ended(room: RoomState, *, over: bool) -> int:
    """When the match ended: the time of the last entry of its record, or of the last one at all if it was closed."""
    of_the_record = [
        kept.at for kept, happening in zip(room.log, room.happenings, strict=True) if happening is not None
    ]
    return of_the_record[-1] if over and of_the_record else room.log[-1].at
