// Beginning a match.
import { exhibit } from "../boards/exhibits";
import type { GameInfo, NewMatch } from "../generated/wire";
import { api } from "./api";
import { device } from "./device.svelte";
import { keepSeed, newSeed } from "./fair";
import { history } from "./history.svelte";
import { identity } from "./identity.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { remembers } from "./storage";

export interface Setup {
  game: GameInfo;
  preset?: string;
  options?: Record<string, unknown>;
  clock?: string;
  moreTime?: boolean; // whoever needs it may take more time
  hints?: boolean; // players may ask for hints; as usual where nothing is said
  listed?: boolean; // everybody in the hall sees it and may sit down
  position?: string; // where the match begins, if not at the beginning
  rated?: boolean; // it changes the players' ratings
}

/** How fast bots move, so that one can follow them. */
const PACE = 350;
const WATCH_PACE = 1200;
const STILL_PACE = 120; // where nothing may move

/** Opens a table: `seats` says who sits where, `mine` which of the open seats are played from this device. */
export async function begin(
  { game, preset, options = {}, clock = "none", moreTime = false, hints, listed = false, position, rated = false }: Setup,
  seats: readonly string[],
  mine: readonly number[],
  names: readonly string[] = [],
): Promise<void> {
  const [first, ...others] = mine;
  const watching = first === undefined;
  if (!watching) await identity.beforeSeat();
  const seed = watching ? null : await newSeed();
  const seated = await api.create({
    game: game.id,
    preset,
    options,
    seats: [...seats],
    sit: first,
    name: names[0] ?? settings.kept.name,
    commitment: seed?.commitment ?? null,
    clock,
    more_time: moreTime,
    hints: hints ?? null,
    listed,
    position: position ?? null,
    rated,
    pace: Math.round((watching ? WATCH_PACE : settings.motion ? PACE : STILL_PACE) * settings.kept.patience),
  } as NewMatch);
  const id = seated.match;
  if (seed && first !== undefined) keepSeed(id, first, seed.seed);
  const invite = seated.links.join?.split("#")[1] ?? "";
  for (const [n, seat] of others.entries()) {
    const own = await newSeed();
    if (own) keepSeed(id, seat, own.seed);
    await api.join(id, { seat, invite, name: names[n + 1] ?? "", commitment: own?.commitment ?? null });
  }
  const known = { match: id, game: game.id, seats: [...mine], names: [], at: Date.now(), over: false };
  device.keep({ ...known, join: seated.links.join ?? undefined });
  router.go(tablePath(id, mine));
}

/** Plays on from the middle of a finished match; the other seats are the bot's. */
export async function goOn(match: string, game: string, ply: number, seat: number, bot: string): Promise<void> {
  await identity.beforeSeat();
  const seed = await newSeed();
  const pace = Math.round(PACE * settings.kept.patience);
  const wanted = { ply, seat, bot, name: settings.kept.name, commitment: seed?.commitment ?? null, pace };
  const { match: id } = await api.continueMatch(match, wanted);
  if (seed) keepSeed(id, seat, seed.seed);
  device.keep({ match: id, game, seats: [seat], names: [], at: Date.now(), over: false });
  router.go(tablePath(id, [seat]));
}

/** The address of a table. It names the seats of this device where a reload would not find them again otherwise. */
export function tablePath(match: string, seats: readonly number[]): string {
  return seats.length > 1 || (seats.length && !remembers) ? `/table/${match}?seats=${seats.join("-")}` : `/table/${match}`;
}

/** The preset for a first game, as long as this device knows of none of that game. */
export function firstPreset(game: GameInfo): string | undefined {
  const { first } = exhibit(game.id);
  const played = history.all.some((match) => match.game === game.id) || device.matches.some((known) => known.game === game.id);
  return first !== undefined && first in game.presets && !played ? first : undefined;
}

/** The quickest way into a game: its usual rules against its casual bot; the first time those that are made for it. */
export async function quickGame(game: GameInfo): Promise<void> {
  const bot = game.bots.find((one) => one.id === "casual") ?? game.bots[0];
  const others = Array.from({ length: (game.players[0] ?? 2) - 1 }, () => `bot:${bot?.id ?? "greedy"}`);
  await begin({ game, preset: firstPreset(game) }, ["open", ...others], [0]);
}
