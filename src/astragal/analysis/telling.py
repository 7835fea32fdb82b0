"""A review in sentences, in one language: what terminal, page and browser all say.

Seats are named, never made the subject of a verb, so that the same sentences do for Light and for the Samurai.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from msgspec import Struct

from astragal.analysis.report import BLUNDER, MISTAKE, SLIP, Dice, Review, SeatReview, Step, TakenBack
from astragal.core.language import Text, decimal, noted, say
from astragal.core.line import Line, Ply
from astragal.core.types import CHANCE

EVALUATORS = {
    "table": noted("a table of exact values"),
    "network": noted("a network, whose values are estimates"),
    "heuristic": noted("a rule of thumb and a search, whose values are estimates"),
}
SIZES = ((BLUNDER, noted("Blunder")), (MISTAKE, noted("Mistake")), (SLIP, noted("Slip")))
NOTHING = 0.0005  # less than this is shown as 0
CLEARLY = 2.0  # so many times as much as the other: that alone decided


class ToldStep(Struct, frozen=True, kw_only=True):
    """One ply in words."""

    happened: str  # what was thrown or played, as the seat itself saw it
    judged: str  # what it changed, and what would have been better; empty where there is nothing to say
    best: str = ""  # the best action, at a decision


class ToldSeat(Struct, frozen=True, kw_only=True):
    """What there is to say of one seat."""

    name: str  # what the game calls it
    player: str
    figures: tuple[str, ...]
    dice: tuple[str, ...]


class ToldRow(Struct, frozen=True, kw_only=True):
    """A line of the table of figures: what it is, and the figure of every seat."""

    label: str
    cells: tuple[str, ...]


class Told(Struct, frozen=True, kw_only=True):
    """A review in words."""

    title: str  # of the game
    verdict: str  # what decided the match
    evaluator: str
    seats: tuple[ToldSeat, ...]
    sums: tuple[ToldRow, ...]  # how chance, luck and decisions add up to the result; each column does so as printed
    table: tuple[ToldRow, ...]  # the other figures
    steps: tuple[ToldStep, ...]  # as the steps of the review
    taken_back: tuple[str, ...]


class Judged(Protocol):
    """What has been reviewed, and how far its values can be trusted."""

    line: Line
    trust: Text


def tell(reviewed: Judged, made: Review, players: Sequence[str], lang: str) -> Told:
    """A review in words. `players` are the names of those who sat there."""
    return _Teller(reviewed, made, players, lang).told()


class _Teller:
    def __init__(self, reviewed: Judged, made: Review, players: Sequence[str], lang: str) -> None:
        self.made, self.players, self.lang = made, players, lang
        self.trust = reviewed.trust
        self.line = line = reviewed.line
        self.rules, self.look = line.rules, line.game.presentation
        first = self.rules.observe(line.steps[0].before if line.steps else line.state, None)
        self.names = [self.look.seat_name(seat, lang, first) for seat in range(len(line.seats))]

    def told(self) -> Told:
        made = self.made
        return Told(
            title=say(self.rules.spec.title).to(self.lang),
            verdict=self._verdict().to(self.lang),
            evaluator=self._evaluator().to(self.lang),
            seats=tuple(
                ToldSeat(
                    name=self.names[seat],
                    player=self.players[seat],
                    figures=tuple(text.to(self.lang) for text in self._figures(one, seat)),
                    dice=tuple(self._dice(dice) for dice in made.dice if dice.seat == seat),
                )
                for seat, one in enumerate(made.seats)
            ),
            sums=tuple(self._sums()),
            table=tuple(self._table()),
            steps=tuple(self._step(step, ply) for step, ply in zip(made.steps, self.line.steps, strict=True)),
            taken_back=tuple(
                self._taken_back(one, undone.steps)
                for one, undone in zip(made.taken_back, self.line.undone, strict=True)
            ),
        )

    # The match and its seats --------------------------------------------------------------------------------------

    def _evaluator(self) -> Text:
        holes = {"evaluator": say(EVALUATORS[self.made.evaluator]), "version": self.made.version, "trust": self.trust}
        if self.made.evaluator == "heuristic":  # its error was never measured; how well its values fit can be
            points = decimal(100 * self.made.error, 1, self.lang)
            return say("Judged by: {evaluator} (version {version}; from one ply to the next its values are {points} "
                       "points apart on average)", points=points, **holes)  # fmt: skip
        return say("Judged by: {evaluator} (version {version}; {trust})", **holes)

    def _verdict(self) -> Text:
        """What decided it: luck, the better decisions, or an end that the rules did not make."""
        winner, one = max(enumerate(self.made.seats), key=lambda pair: pair[1].result)
        if sum(seat.result == one.result for seat in self.made.seats) > 1:
            return say("Nobody won alone.")
        name, skill = self.names[winner], one.gained - one.loss
        if one.conceded > max(0.0, one.luck, skill):
            return say("It ended before it was decided, in favour of: {name}.", name=name)
        holes = {"name": name, "luck": self._points(one.luck), "skill": self._points(skill)}
        if one.remainder > max(0.0, one.luck, skill):
            return say(
                "Neither luck nor mistakes explain it, for {name}: {luck} points by luck, {skill} by decisions, "
                "and the rest the estimates do not tell.",
                **holes,
            )
        if one.luck > CLEARLY * max(skill, 0.0):
            return say("Luck decided it, for {name}: {luck} points by luck, {skill} by decisions.", **holes)
        if skill > CLEARLY * max(one.luck, 0.0):
            return say(
                "The better decisions decided it, for {name}: {skill} points by decisions, {luck} by luck.", **holes
            )
        return say("Luck and decisions together, for {name}: {luck} points by luck, {skill} by decisions.", **holes)

    def _sums(self) -> Iterator[ToldRow]:
        """How it adds up, in tenths of a point: what rounding changes is in the remainder."""
        seats = self.made.seats
        parts = [
            (say("Chance at the start"), [one.start for one in seats]),
            (say("Luck"), [one.luck for one in seats]),
            (say("Own decisions"), [-one.loss for one in seats]),
            (say("The others' decisions"), [one.gained for one in seats]),
        ]
        if any(abs(one.conceded) >= NOTHING for one in seats):
            parts.append((say("Ended before the rules did"), [one.conceded for one in seats]))
        left = [round(1000 * one.result) for one in seats]
        for place, (label, shares) in enumerate(parts):
            tenths = [round(1000 * share) for share in shares]
            left = [rest - part for rest, part in zip(left, tenths, strict=True)]
            written = self._points if place else self._percent
            yield self._row(label, [written(part / 1000) for part in tenths])
        remainder = say("Remainder (rounding)") if self.made.exact else say("Remainder (estimates, rounding)")
        yield self._row(remainder, [self._points(rest / 1000) for rest in left])
        yield self._row(say("Result"), [self._percent(one.result) for one in seats])

    def _table(self) -> Iterator[ToldRow]:
        seats = self.made.seats
        yield self._row(say("Accuracy, of 100"), [f"{one.accuracy:.0f}" for one in seats])
        yield self._row(say("Points a decision"), [decimal(-100 * one.loss_a_decision, 2, self.lang) for one in seats])
        yield self._row(say("Decisions"), [str(one.decisions) for one in seats])
        yield self._row(say("Slips"), [str(one.slips) for one in seats])
        yield self._row(say("Mistakes"), [str(one.mistakes) for one in seats])
        yield self._row(say("Blunders"), [str(one.blunders) for one in seats])
        yield self._row(say("Result with even dice"), [self._percent(one.even) for one in seats])
        if any(one.seconds is not None for one in seats):
            times = ["" if one.seconds is None else _clock(one.seconds) for one in seats]
            yield self._row(say("Time used"), times)

    def _row(self, label: Text, cells: Sequence[str]) -> ToldRow:
        return ToldRow(label=label.to(self.lang), cells=tuple(cells))

    def _figures(self, one: SeatReview, seat: int) -> Iterator[Text]:
        yield say("Chance at the start {start}, luck {luck}, own decisions {loss}, the others' decisions {gained}",
                  start=self._percent(one.start), luck=self._points(one.luck), loss=self._points(-one.loss),
                  gained=self._points(one.gained))  # fmt: skip
        if abs(one.conceded) >= NOTHING:
            yield say("ended before the rules did: {points}", points=self._points(one.conceded))
        if abs(one.remainder) >= NOTHING:
            yield say("remainder, since values are estimates: {points}", points=self._points(one.remainder))
        yield say("Accuracy {accuracy} of 100: {loss} points a decision lost, in {decisions} decisions",
                  accuracy=f"{one.accuracy:.0f}", loss=decimal(100 * one.loss_a_decision, 2, self.lang),
                  decisions=one.decisions)  # fmt: skip
        yield say("Slips {slips}, mistakes {mistakes}, blunders {blunders}", slips=one.slips, mistakes=one.mistakes,
                  blunders=one.blunders)  # fmt: skip
        yield say("With even dice the result would have been {even}", even=self._percent(one.even))
        if one.turning_points:
            steps = [self.made.steps[ply - 1] for ply in one.turning_points]
            turns = [
                say("ply {ply} ({points})", ply=step.ply, points=self._points(step.after[seat] - step.before[seat]))
                for step in steps
            ]
            yield say("Turning points: {plies}", plies=", ".join(turn.to(self.lang) for turn in turns))
        if one.seconds is not None:
            yield say("Time used: {time}", time=_clock(one.seconds))

    def _dice(self, dice: Dice) -> str:
        """What was thrown against what was to be expected, and how unusual that is, as one sentence each."""
        faces = ", ".join(
            say(
                "{face}: {seen} ({expected})",
                face=say(face.face),
                seen=face.seen,
                expected=decimal(face.expected, 1, self.lang),
            ).to(self.lang)
            for face in dice.faces
        )
        means = {
            "what": say(dice.what),
            "n": dice.count,
            "mean": decimal(dice.mean, 2, self.lang),
            "expected": decimal(dice.expected, 2, self.lang),
        }
        sentences = [say("{what}: {n} in all, {mean} on average where {expected} was to be expected.", **means)]
        sentences.append(_unusual(dice))
        if faces:
            sentences.append(say("How often, and in brackets how often to be expected: {faces}.", faces=faces))
        return " ".join(sentence.to(self.lang) for sentence in sentences)

    # Plies --------------------------------------------------------------------------------------------------------

    def _step(self, step: Step, ply: Ply) -> ToldStep:
        best = "" if not step.best else self._label(ply, self.rules.decode(ply.before, step.best))
        judged = self._luck(step) if step.seat == CHANCE else self._decision(step, best)
        return ToldStep(
            happened=self._happened(ply), judged="" if judged is None else judged.to(self.lang), best=best
        )  # fmt: skip

    def _happened(self, ply: Ply) -> str:
        thrown = self.rules.thrown(ply.before, ply.action) if ply.seat == CHANCE else None
        viewer = ply.seat if ply.seat != CHANCE else None if thrown is None else thrown.seat
        return self.look.say(ply.event(self.rules, viewer), self.lang)

    def _label(self, ply: Ply, action: Any) -> str:
        return self.look.label(self.rules.observe(ply.before, ply.seat), action, self.lang)

    def _luck(self, step: Step) -> Text | None:
        gains = [step.luck(seat) for seat in range(len(self.names))]
        seat = max(range(len(gains)), key=lambda one: gains[one])
        if gains[seat] < NOTHING:
            return None
        return say("Luck for {name}: {points} points.", name=self.names[seat], points=self._points(gains[seat]))

    def _decision(self, step: Step, best: str) -> Text | None:
        if step.choices < 2 or not best:
            return None
        if step.loss < NOTHING:
            return say("Nothing was better.")
        points = self._points(-step.loss)
        for least, name in SIZES:
            if step.loss >= least:
                return say("{size} ({points} points). Better: {best}.", size=say(name), points=points, best=best)
        return say("Hardly worse ({points} points) than: {best}.", points=points, best=best)

    def _taken_back(self, one: TakenBack, undone: Sequence[Ply]) -> str:
        parts = []
        for step, ply in zip(one.steps, undone, strict=True):
            told = self._step(step, ply)
            parts.append(f"{told.happened} {told.judged}".strip())
        instead = ""
        if one.ply < len(self.line.steps):
            counted = self._step(self.made.steps[one.ply], self.line.steps[one.ply])
            instead = f"{counted.happened} {counted.judged}".strip()
        holes = {"ply": one.ply + 1, "taken": " ".join(parts), "instead": instead}
        if not instead:
            return say("Taken back at ply {ply}: {taken}", **holes).to(self.lang)
        return say("Taken back at ply {ply}: {taken} What counted: {instead}", **holes).to(self.lang)

    # Numbers ------------------------------------------------------------------------------------------------------

    def _points(self, change: float) -> str:
        return decimal(100 * change, 1, self.lang, signed=True)

    def _percent(self, share: float) -> str:
        return f"{decimal(100 * share, 1, self.lang)} %"


def _unusual(dice: Dice) -> Text:
    if dice.unusual >= 0.5:
        return say("That is usual: most matches are farther off.")
    holes = {"n": round(1 / max(dice.unusual, 1e-6))}
    if dice.unusual >= 0.25:
        return say("That is nothing unusual: about one match in {n} is as far off.", **holes)
    if dice.unusual < 0.02:
        return say("That is rare: only about one match in {n} is as far off.", **holes)
    if dice.mean > dice.expected:
        return say("That is high: about one match in {n} is as far off.", **holes)
    return say("That is low: about one match in {n} is as far off.", **holes)


def _clock(seconds: float) -> str:
    """`0:09`, `4:59`, `2:00:00`."""
    whole = round(seconds)
    minutes = f"{whole // 60 % 60:02}" if whole >= 3600 else f"{whole // 60}"
    return (f"{whole // 3600}:" if whole >= 3600 else "") + f"{minutes}:{whole % 60:02}"
