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
  status?: string; // as the page last saw it: lobby, running, paused, over, closed
  turn?: number | null; // the seat to act
  result?: readonly number[] | null; // shares of one win, when it is over
}

const MOST = 40;

class Device {
  matches: Known[] = $state(recall<Known[]>("matches", []));

  find(match: string): Known | undefined {
    return this.matches.find((known) => known.match === match);
  }

  keep(known: Known): void {
    const others = this.matches.filter((one) => one.match !== known.match);
    this.matches = [{ ...this.find(known.match), ...known }, ...others].sort((a, b) => b.at - a.at).slice(0, MOST);
    remember("matches", this.matches);
  }

  forget(match: string): void {
    this.matches = this.matches.filter((known) => known.match !== match);
    remember("matches", this.matches);
  }
}

export const device = new Device();
