// The finished matches of this device: results by game and by opponent, streaks, levels that were beaten.
import type { Seated } from "../table/names";
import { recall, remember } from "./storage";

/** A match that was played from this device and is over. */
export interface Finished {
  match: string;
  game: string;
  at: number;
  seats: readonly number[]; // those played from this device
  players: readonly Seated[];
  result: readonly number[]; // shares of one win, by seat
}

export type Result = "won" | "lost" | "drawn";

export interface Tally {
  won: number;
  lost: number;
  drawn: number;
}

export interface Opponent extends Tally {
  key: string; // as a seat says it: bot:casual, or human and the name
  game: string; // of a bot, whose levels are those of a game
  place: Seated;
  last: number;
}

const MOST = 1000; // matches that are kept

class History {
  since = recall("history-since", 0); // what ended before this was forgotten here
  all: readonly Finished[] = $state.raw(recall<Finished[]>("history", []));

  keep(match: Finished): void {
    if (this.all.some((one) => one.match === match.match)) return;
    this.all = [match, ...this.all].sort((one, other) => other.at - one.at).slice(0, MOST);
    remember("history", this.all);
  }

  /** Forgets all of it. What ended before now is not fetched from the server again. */
  clear(): void {
    this.all = [];
    this.since = Date.now();
    remember("history", []);
    remember("history-since", this.since);
  }
}

export const history = new History();

/** How it ended for this device; null where everybody played from it, or it only looked on. */
export function resultOf({ seats, result }: Pick<Finished, "seats" | "result">): Result | null {
  const [seat, ...more] = seats;
  if (seat === undefined || more.length) return null;
  const mine = result[seat] ?? 0;
  const best = Math.max(...result);
  if (mine < best) return "lost";
  return result.filter((share) => share === best).length > 1 ? "drawn" : "won";
}

export function tally(all: readonly Finished[]): Tally {
  const found: Tally = { won: 0, lost: 0, drawn: 0 };
  for (const match of all) {
    const result = resultOf(match);
    if (result) found[result] += 1;
  }
  return found;
}

/** Wins in a row: the latest ones, and the longest that there was. */
export function streaks(all: readonly Finished[]): { now: number; best: number } {
  let [now, best, run, open] = [0, 0, 0, true];
  for (const match of [...all].sort((one, other) => other.at - one.at)) {
    const result = resultOf(match);
    if (result === null) continue;
    if (result === "won") run += 1;
    else [run, open] = [0, false];
    if (open) now = run;
    best = Math.max(best, run);
  }
  return { now, best };
}

/** Everybody this device has played against, the most frequent first. */
export function opponents(all: readonly Finished[]): Opponent[] {
  const found = new Map<string, Opponent>();
  for (const match of all) {
    const result = resultOf(match);
    if (!result) continue;
    const others = new Map(match.players.filter((place) => !match.seats.includes(place.seat)).map((place) => [nameOf(place), place]));
    for (const [key, place] of others) {
      const bot = place.player.startsWith("bot:");
      const id = bot ? `${match.game} ${key}` : key;
      const known = found.get(id) ?? { key, game: bot ? match.game : "", place, won: 0, lost: 0, drawn: 0, last: 0 };
      known[result] += 1;
      known.last = Math.max(known.last, match.at);
      found.set(id, known);
    }
  }
  const count = ({ won, lost, drawn }: Tally): number => won + lost + drawn;
  return [...found.values()].sort((one, other) => count(other) - count(one) || other.last - one.last);
}

/** The levels of a game that were beaten by somebody alone against bots of that level only. */
export function beaten(all: readonly Finished[], game: string): Set<string> {
  const found = new Set<string>();
  for (const match of all) {
    if (match.game !== game || resultOf(match) !== "won") continue;
    const levels = new Set(match.players.filter((place) => !match.seats.includes(place.seat)).map((place) => place.player));
    const [level] = levels;
    if (levels.size === 1 && level?.startsWith("bot:")) found.add(level.slice(4));
  }
  return found;
}

function nameOf(place: Seated): string {
  return place.player.startsWith("bot:") ? place.player : `human ${place.name}`;
}
