// The matches of this device, so that they are found again.
import type { Seated } from "../table/names";
import { recall, remember } from "./storage";

export interface Known {
  match: string;
  game: string;
  seats: number[]; // those played from this device; none: only watched
  names: string[]; // of matches that were kept before `players` was
  players?: Seated[]; // who sits where, to be named in the language of the page
  at: number;
  over: boolean;
  join?: string; // the link for friends
  tournament?: string; // of which it is a match
  status?: string; // as the page last saw it: lobby, running, paused, over, closed
  turn?: number | null; // the seat to act
  result?: readonly number[] | null; // shares of one win, when it is over
}

const MOST = 40;
const MOST_FORGOTTEN = 500;

class Device {
  matches: Known[] = $state(recall<Known[]>("matches", []));

  find(match: string): Known | undefined {
    return this.matches.find((known) => known.match === match);
  }

  /** Matches that were taken off the list here; the server may still have them. */
  forgotten: readonly string[] = $state.raw(recall<string[]>("forgotten", []));

  keep(known: Known): void {
    if (this.forgotten.includes(known.match)) this.dismiss(this.forgotten.filter((match) => match !== known.match));
    const others = this.matches.filter((one) => one.match !== known.match);
    this.matches = [{ ...this.find(known.match), ...known }, ...others].sort((a, b) => b.at - a.at).slice(0, MOST);
    remember("matches", this.matches);
  }

  forget(match: string): void {
    this.matches = this.matches.filter((known) => known.match !== match);
    remember("matches", this.matches);
    this.dismiss([match, ...this.forgotten].slice(0, MOST_FORGOTTEN));
  }

  private dismiss(matches: readonly string[]): void {
    this.forgotten = matches;
    remember("forgotten", matches);
  }
}

export const device = new Device();
