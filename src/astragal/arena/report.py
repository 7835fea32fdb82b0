"""The results of a contest: as a struct for scripts, as a table and as sentences for people."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from astragal.arena import stats
from astragal.arena.contest import Contest
from astragal.arena.job import Job, Round, seatings
from astragal.arena.stats import Estimate
from astragal.core.language import Text, say, say_count

MOST_LETTERS = 26  # of a name beside its figures


class Wrong(Struct, frozen=True):
    """A bot that crashed or took too long, so that another one moved for it."""

    bot: str
    times: int
    first: str  # what was wrong the first time


class Duel(Struct, frozen=True, kw_only=True):
    """The result of one pairing."""

    one: str
    other: str
    rounds: int
    games: int
    share: Estimate  # of the wins, for `one`
    alone: Estimate | None  # the same in games in which it sits alone; None at a table of two, where it always does
    elo: Estimate  # by how much `one` is better
    without_luck: Estimate | None = None  # the share, without what chance did for it, if noted often enough
    alone_without_luck: Estimate | None = None
    plies: float  # a game
    cut: int  # games broken off after too many plies


class Standing(Struct, frozen=True):
    """A bot and its rating."""

    bot: str
    elo: Estimate


class Tested(Struct, frozen=True):
    """How a sequential test stands; `accepted` is the claim to be believed, in Elo points, once there is one."""

    elo0: float
    elo1: float
    ratio: float
    bound: float
    accepted: float | None


class Report(Struct, frozen=True, kw_only=True):
    """A contest as it stands."""

    job: Job
    over: bool
    duels: tuple[Duel, ...]
    standings: tuple[Standing, ...]  # the best first
    sprt: Tested | None
    faults: tuple[Wrong, ...]


def report(contest: Contest) -> Report:
    """All that the rounds so far say."""
    job = contest.job
    by_pair: dict[tuple[int, int], list[Round]] = {pair: [] for pair in job.pairings}
    for round in contest.rounds:
        by_pair[job.pairings[round.pairing]].append(round)
    played = {pair: rounds for pair, rounds in by_pair.items() if rounds}
    return Report(
        job=job,
        over=contest.over,
        duels=tuple(_duel(job, pair, rounds) for pair, rounds in played.items()),
        standings=_standings(job, played),
        sprt=None if contest.sprt is None else _tested(contest.sprt, contest),
        faults=_faults(job, contest.rounds),
    )


def _duel(job: Job, pair: tuple[int, int], rounds: Sequence[Round]) -> Duel:
    scores = [round.score for round in rounds]
    games = len(rounds) * len(seatings(job.players))
    alone = [sum(round.shares[: job.players]) / job.players for round in rounds]  # these seatings come first
    each = [round.without_luck for round in rounds] if job.without_luck else []
    return Duel(
        one=job.bots[pair[0]],
        other=job.bots[pair[1]],
        rounds=len(rounds),
        games=games,
        share=stats.share(scores),
        alone=stats.share(alone, 1 / job.players) if job.players > 2 else None,
        elo=stats.difference(scores),
        without_luck=stats.settled([sum(one) / len(one) for one in each]),
        alone_without_luck=(
            stats.settled([sum(one[: job.players]) / job.players for one in each]) if job.players > 2 else None
        ),
        plies=sum(sum(round.plies) for round in rounds) / games,
        cut=sum(round.cut for round in rounds),
    )


def _standings(job: Job, played: dict[tuple[int, int], list[Round]]) -> tuple[Standing, ...]:
    if not played:
        return ()
    scores = {pair: [round.score for round in rounds] for pair, rounds in played.items()}
    rated = zip(job.bots, stats.ratings(scores, len(job.bots)), strict=True)
    return tuple(Standing(bot, elo) for bot, elo in sorted(rated, key=lambda row: -row[1].value))


def _tested(sprt: stats.Sprt, contest: Contest) -> Tested:
    accepted = None if contest.verdict is None else sprt.elo1 if contest.verdict else sprt.elo0
    return Tested(sprt.elo0, sprt.elo1, contest.ratio, sprt.bound, accepted)


def _faults(job: Job, rounds: Sequence[Round]) -> tuple[Wrong, ...]:
    by_bot: dict[str, Wrong] = {}
    for round in rounds:
        for fault in round.faults:
            bot = job.bots[job.pairings[round.pairing][fault.bot]]
            before = by_bot.get(bot, Wrong(bot, 0, fault.first))
            by_bot[bot] = Wrong(bot, before.times + fault.times, before.first)
    return tuple(by_bot.values())


# For people -----------------------------------------------------------------------------------------------------


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "-" if share is None else f"{100 * share:.1f} %"


LOWEST, HIGHEST = "-∞", "+∞"  # of an interval without a bound


def points(elo: float | None, *, unbounded: str = "") -> str:
    """Elo points, with their sign; `unbounded` where there is no bound."""
    return unbounded if elo is None else f"{elo:+.0f}"


def sentences(results: Report) -> list[Text]:
    """The report in whole sentences."""
    lines = [
        say(
            "{one} against {other}: {share} of the wins (95 %: {low} to {high}), {elo} Elo ({elo_low} to {elo_high}), "
            "in {games} games.",
            elo=points(duel.elo.value),
            elo_low=points(duel.elo.low, unbounded=LOWEST),
            elo_high=points(duel.elo.high, unbounded=HIGHEST),
            games=duel.games,
            **_told(duel, duel.share),
        )
        for duel in results.duels
    ]
    return lines + notes(results)


def table(results: Report, lang: str) -> list[str]:
    """The report in columns of at most 79 letters."""
    names = [f"{duel.one} - {duel.other}" for duel in results.duels]
    wide = min(MOST_LETTERS, max(8, *map(len, names)))
    heads = [head.to(lang) for head in (say("games"), say("wins"), say("95 %"), say("Elo"), say("95 %"))]
    lines = [_row("", wide, heads)]
    for duel in results.duels:
        between = f"{percent(duel.share.low).removesuffix(' %')} .. {percent(duel.share.high).removesuffix(' %')}"
        cells = [str(duel.games), percent(duel.share.value), between, points(duel.elo.value), interval(duel.elo)]
        lines.append(_row(f"{duel.one} - {duel.other}", wide, cells))
    if len(results.job.bots) > 2:
        lines += ["", _row("", wide, ["", "", "", *heads[3:]])]
        lines += [
            _row(row.bot, wide, ["", "", "", points(row.elo.value), interval(row.elo)]) for row in results.standings
        ]
    return lines + [note.to(lang) for note in notes(results)]


def _row(name: str, wide: int, cells: Sequence[str]) -> str:
    """One line, or two where the name is too long to stand beside its figures."""
    name = name if len(name) <= wide else f"{name}\n{'':<{wide}}"
    return f"{name:<{wide}}" + "".join(f"{cell:>{size}}" for cell, size in zip(cells, (7, 8, 15, 7, 16), strict=True))


def _told(duel: Duel, share: Estimate) -> dict[str, str]:
    """Whose share of the wins it is, and how sure it is."""
    bounds = {"low": percent(share.low), "high": percent(share.high)}
    return {"one": duel.one, "other": duel.other, "share": percent(share.value), **bounds}


def interval(elo: Estimate) -> str:
    """The 95 % interval, with the way in which it is open where it has no bound."""
    return f"{points(elo.low, unbounded=LOWEST)} .. {points(elo.high, unbounded=HIGHEST)}"


def notes(results: Report) -> list[Text]:
    """What else there is to say: wins alone, a test's verdict, games broken off, bots that failed, an end to come."""
    lines = []
    for duel in results.duels:
        if duel.without_luck is not None:
            lines.append(
                say(
                    "Without the luck of the dice, {one} has {share} of the wins against {other} "
                    "(95 %: {low} to {high}).",
                    **_told(duel, duel.without_luck),
                )
            )
        if duel.alone is not None:
            lines.append(
                say(
                    "Alone against copies of {other}, {one} has {share} of the wins (95 %: {low} to {high}); "
                    "{even} would be even.",
                    even=percent(1 / results.job.players),
                    **_told(duel, duel.alone),
                )
            )
        if duel.alone_without_luck is not None:
            lines.append(
                say(
                    "Alone and without the luck of the dice, {one} has {share} of the wins against {other} "
                    "(95 %: {low} to {high}).",
                    **_told(duel, duel.alone_without_luck),
                )
            )
    if results.sprt is not None:
        test = results.sprt
        standing = say(
            "log-likelihood ratio {ratio} between -{bound} and {bound}",
            ratio=f"{test.ratio:.2f}",
            bound=f"{test.bound:.2f}",
        )
        if test.accepted is None:
            lines.append(say("The test has not decided: {standing}.", standing=standing))
        else:
            first, other = results.job.bots
            lines.append(
                say(
                    "The test believes that {one} is {elo} Elo points better than {other}, rather than {rather}: "
                    "{standing}.",
                    one=first,
                    other=other,
                    elo=points(test.accepted),
                    rather=points(test.elo1 if test.accepted == test.elo0 else test.elo0),
                    standing=standing,
                )
            )
    cut = sum(duel.cut for duel in results.duels)
    if cut:
        lines.append(
            say_count(
                cut,
                "One game was broken off after {plies} plies and shared.",
                "{n} games were broken off after {plies} plies and shared.",
                plies=results.job.most_plies,
            )
        )
    lines += [
        say(
            "{bot} failed {times} times and had to be helped; first: {first}",
            bot=row.bot,
            times=row.times,
            first=row.first,
        )
        for row in results.faults
    ]
    if not results.over:
        lines.append(say("The contest is not over."))
    return lines
