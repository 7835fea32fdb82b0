"""Whether a record's dice are those that its seeds give: what `astragal verify` tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from astragal.core import fair
from astragal.core.fair import Fairness
from astragal.core.language import Text, say, say_count
from astragal.core.line import Line, replay
from astragal.core.record import Drew, Record
from astragal.core.types import OVER

NAMED_DRAWS = 3  # wrong draws that are named one by one


class Verdict(Struct, frozen=True):
    """One thing about a record's dice that was checked."""

    what: Text
    good: bool | None  # None: it could not be checked (yet)


def verify(record: Record) -> list[Verdict]:
    """Checks a record's dice: the promises, every draw, and that the weights are those of the rules."""
    replay(record)  # also checks weights and numbering (RC-7)
    promise = record.header.fair
    verdicts = [Verdict(say("the moves, the weights and the numbers of the draws follow the rules"), True)]
    for seat, (seed, commitment) in enumerate(zip(promise.seat_seeds, promise.seat_commitments, strict=True)):
        if seed is not None or commitment is not None:
            kept = seed is not None and fair.commit(bytes.fromhex(seed)) == commitment
            verdicts.append(Verdict(say("the seed of seat {seat} is the one promised", seat=seat + 1), kept))
        elif record.header.seats[seat].player == "human":
            verdicts.append(Verdict(say("seat {seat}, a human, brought a seed", seat=seat + 1), False))
    verdicts += abandoned(promise)
    if promise.server_seed is None:
        verdicts.append(Verdict(say("the server's seed is not opened yet, so the draws cannot be repeated"), None))
        return verdicts
    server_seed = bytes.fromhex(promise.server_seed)
    kept = fair.commit(server_seed) == promise.server_commitment
    verdicts.append(Verdict(say("the server's seed is the one promised"), kept))
    if record.result is None:
        verdicts.append(Verdict(say("the match goes on, and whoever has this file can foresee its draws"), None))
    draws, wrong, reopened = 0, [], False
    line = Line(record.header)
    for entry in record.entries:
        if isinstance(entry, Drew):
            draws += 1
            index = fair.draw(server_seed, promise.seat_seeds, record.header.match, entry.n, entry.weights)
            outcomes = line.rules.chance(line.state)
            if outcomes[index][0] != line.rules.decode(line.state, entry.action):
                wrong.append(entry.n)
        reopened |= line.turn == OVER
        line.add(entry)
    if reopened:
        verdicts.append(Verdict(say("the match went on after an end, when its seed may have been known"), None))
    verdicts.append(
        Verdict(
            say_count(draws, "the one draw is that of the seeds", "all {n} draws are those of the seeds"), not wrong
        )
    )
    return verdicts + _wrong_draws(wrong)


def _wrong_draws(wrong: Sequence[int]) -> list[Verdict]:
    """The first draws that are not those of the seeds, and how many more there are."""
    verdicts = [Verdict(say("draw number {n} is the one the seeds give", n=n), False) for n in wrong[:NAMED_DRAWS]]
    if more := len(wrong) - len(verdicts):
        text = say_count(more, "{n} more draw is the one the seeds give", "{n} more draws are those the seeds give")
        verdicts.append(Verdict(text, False))
    return verdicts


def abandoned(promise: Fairness) -> list[Verdict]:
    """Which seats were given up when a seed was open: perhaps because somebody knew the dice to come."""
    counts = Counter((gone.seat, gone.name, gone.why == "kicked") for gone in promise.abandoned)
    verdicts = [
        Verdict(_given_up(count, seat, name or say("human"), kicked=kicked), None)
        for (seat, name, kicked), count in counts.items()
    ]
    if counts:
        fresh = all(gone.server_commitment != promise.server_commitment for gone in promise.abandoned)
        verdicts.append(Verdict(say("after that the server promised a fresh seed"), fresh))
    return verdicts


def _given_up(count: int, seat: int, player: Text | str, *, kicked: bool) -> Text:
    if kicked:
        return say_count(
            count,
            "the host put out seat {seat} ({player}) {n} time after a seed was opened",
            "the host put out seat {seat} ({player}) {n} times after a seed was opened",
            seat=seat + 1,
            player=player,
        )
    return say_count(
        count,
        "seat {seat} ({player}) abandoned its promise {n} time after a seed was opened",
        "seat {seat} ({player}) abandoned its promise {n} times after a seed was opened",
        seat=seat + 1,
        player=player,
    )
