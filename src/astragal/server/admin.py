"""What the host asks and orders from the command line; `host_orders` has what the orders do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from astragal.core.language import say, say_count
from astragal.server import host_orders, keys, limits, players, retention, store_file, tournament_store
from astragal.server.players import PlayerRow
from astragal.server.ratings import Ratings
from astragal.server.rooms import Rooms
from astragal.server.store import Store
from astragal.server.tournaments import Tournaments


def carry_out(url: str, name: str, lang: str, /, **given: Any) -> str:
    """Carries out one order and returns the sentence or table for the host. Raises AstragalError."""
    return asyncio.run(_carry_out(url, name, lang, given))


async def _carry_out(url: str, name: str, lang: str, given: dict[str, Any]) -> str:
    store_file.existing(url)
    store = await Store.open(url)
    try:
        if name in LISTS:
            return await LISTS[name](store, lang, **given)
        rooms = Rooms(store)
        done = await host_orders.carry_out(rooms, Tournaments(rooms), name, **given)
        await rooms.drain()
        return done.to(lang)
    finally:
        await store.close()


async def _list(store: Store, lang: str, as_json: bool) -> str:
    rows = await store.list_matches(("lobby", "running", "over", "closed"), listed=False, most=10_000)
    if as_json:
        plain = [
            {
                "match": row.id,
                "game": row.game,
                "status": row.status,
                "listed": row.listed,
                "created_ms": row.created_ms,
                "changed_ms": row.changed_ms,
            }
            for row in rows
        ]
        return msgspec.json.encode(plain).decode()
    lines = [f"{row.id}  {row.game:<10} {row.status:<8} {'' if row.listed else '-'}" for row in rows]
    return "\n".join(line.rstrip() for line in lines) or say("There is no match.").to(lang)


async def _players(store: Store, lang: str, as_json: bool) -> str:
    rows = await players.listed(store)
    if as_json:
        return msgspec.json.encode(rows).decode()
    lines = [f"{row.key}  {retention.date_of(row.seen_ms)}  {row.name}{_banned(row, lang)}" for row in rows]
    return "\n".join(line.rstrip() for line in lines) or say("No player has signed in yet.").to(lang)


def _banned(row: PlayerRow, lang: str) -> str:
    word = say("banned").to(lang)
    return f" ({word})" if row.banned else ""


async def _tournaments(store: Store, lang: str, as_json: bool) -> str:
    rows = await tournament_store.listed(store, most=10_000, everything=True)
    if as_json:
        shown = ("id", "title", "kind", "game", "status", "listed", "created_ms", "changed_ms")
        return msgspec.json.encode([{name: getattr(row, name) for name in shown} for row in rows]).decode()
    lines = [
        f"{row.id}  {row.game:<10} {row.status:<8} {retention.date_of(row.changed_ms)}  {row.title}" for row in rows
    ]
    return "\n".join(lines) or say("There is no tournament.").to(lang)


async def _limits(store: Store, lang: str, as_json: bool) -> str:
    changed = await limits.changed(store)
    if as_json:
        return msgspec.json.encode(changed).decode()
    lines = [f"{limits.LIMITS[name].flag} {value}" for name, value in sorted(changed.items())]
    return "\n".join(lines) or say("No limit was changed; each server has those it was started with.").to(lang)


async def _recount(store: Store, lang: str, reviews: bool, as_json: bool) -> str:
    made = await Ratings(Rooms(store)).recount(reviews=reviews)
    if as_json:
        return msgspec.json.encode(made).decode()
    counted = say_count(
        made.counted,
        "{n} of {all} rated matches counts, for {players} players.",
        "{n} of {all} rated matches count, for {players} players.",
        all=made.matches,
        players=made.players,
    )
    changed = (
        say_count(made.changed, "{n} rating is different now.", "{n} ratings are different now.")
        if made.changed
        else say("Every rating is as it was.")
    )
    return "\n".join(text.to(lang) for text in (counted, changed))


async def _export_player(store: Store, _lang: str, key: str) -> str:
    exported = await players.export(store, await players.named(store, key))
    return msgspec.json.format(msgspec.json.encode(exported), indent=1).decode()


async def _bans(store: Store, lang: str, as_json: bool) -> str:
    kept_out = sorted(await store.banned())
    if as_json:
        return msgspec.json.encode(kept_out).decode()
    return "\n".join(kept_out) or say("Nobody is kept out.").to(lang)


async def _retention(store: Store, lang: str, days: int | None, as_json: bool) -> str:
    """Sets how long matches are kept, if days are given, and says how things stand."""
    if days is not None:
        await host_orders.ORDERS["keep-days"](Rooms(store), days=days)
    plan = await retention.plan(store)
    if as_json:
        return msgspec.json.encode(plan).decode()
    lines = [say_count(plan.days, "Matches are kept for {n} day.", "Matches are kept for {n} days (0: for ever).")]
    if plan.matches:
        lines.append(
            say_count(
                len(plan.matches),
                "{n} match that ended before {date} will be removed when the server has run for {hours} more hours:",
                "{n} matches that ended before {date} will be removed when the server has run for {hours} more hours:",
                date=str(plan.ended_before),
                hours=plan.hours_left,
            )
        )
    return "\n".join([*(text.to(lang) for text in lines), *plan.matches])


LISTS: dict[str, Callable[..., Awaitable[str]]] = {
    "list": _list,
    "bans": _bans,
    "key": keys.describe,
    "players": _players,
    "player-export": _export_player,
    "recount": _recount,
    "retention": _retention,
    "tournaments": _tournaments,
    "limits": _limits,
}
