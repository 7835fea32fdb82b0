// Tournaments: the ones this device knows, and one as a page follows it.
import type { All, Asker, OwnPlace, TournamentSheet } from "../generated/wire";
import { address, api, type Trouble } from "./api";
import { device } from "./device.svelte";
import { keepSeed, newSeed } from "./fair";
import { router } from "./router.svelte";
import { tablePath } from "./start";
import { recall, remember } from "./storage";
import { later, noted, spoken } from "./texts.svelte";

export interface KnownTournament {
  id: string;
  title: string;
  game: string;
  secret?: string; // the organiser's
  own?: string; // that of somebody who takes part
  at: number;
}

const MOST = 30;

class KnownTournaments {
  all: KnownTournament[] = $state(recall<KnownTournament[]>("tournaments", []));

  find(id: string): KnownTournament | undefined {
    return this.all.find((known) => known.id === id);
  }
  keep(known: Omit<KnownTournament, "at">): void {
    const others = this.all.filter((one) => one.id !== known.id);
    this.all = [{ ...this.find(known.id), ...known, at: Date.now() }, ...others].slice(0, MOST);
    remember("tournaments", this.all);
  }
  forget(id: string): void {
    this.all = this.all.filter((known) => known.id !== id);
    remember("tournaments", this.all);
  }
}

export const known = new KnownTournaments();

export const FORMATS: Record<TournamentSheet["format"], readonly [string, string]> = {
  swiss: [noted("Swiss"), noted("A few rounds. Those with equal points meet, and nobody is knocked out.")],
  "round-robin": [noted("Everybody against everybody"), noted("For small groups: each meets each once.")],
  arena: [noted("Arena"), noted("For a fixed time. Whoever is free meets whoever else is free.")],
  groups: [noted("Rotating tables"), noted("Tables of three or four, new ones each round.")],
};
export const formatName = (format: TournamentSheet["format"]): string => later(FORMATS[format][0]);

/** A secret for taking part: made here, so that a repeated request enters once. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** One tournament as a page shows it: told anew whenever something has happened. */
export class Followed {
  sheet = $state.raw<TournamentSheet | null>(null);
  asker = $state.raw<Asker | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  lost = $state(false);
  private source: EventSource | null = null;
  private concerns = ""; // what of the last sheet was about this browser

  constructor(
    readonly id: string,
    private readonly personal = true,
  ) {}

  get own(): OwnPlace | null {
    return this.asker?.own ?? null;
  }

  /** What somebody is called here. */
  name(entrant: number): string {
    return this.sheet?.standings.find((row) => row.entrant === entrant)?.name ?? "";
  }

  async open(): Promise<void> {
    try {
      this.take(await api.tournament(this.id));
    } catch (error) {
      this.trouble = error as Trouble;
      return;
    }
    this.follow();
  }
  private follow(): void {
    this.source = new EventSource(address(`/tournaments/${this.id}/stream`));
    this.source.onmessage = (event) => {
      this.lost = false;
      this.take(JSON.parse(event.data as string) as TournamentSheet);
    };
    this.source.onerror = () => (this.lost = true); // it tries again by itself
  }
  take(sheet: TournamentSheet): void {
    if (this.sheet && sheet.n < this.sheet.n) return;
    this.sheet = sheet;
    if (!this.personal) return;
    const concerns = this.asker && !this.own ? "" : JSON.stringify(this.about(sheet));
    if (this.asker && concerns === this.concerns) return; // a class shares one address, and requests are counted
    this.concerns = concerns;
    void this.look();
  }
  /** What of a sheet is about this browser: only when it changes is the server asked for more. */
  private about(sheet: TournamentSheet): unknown {
    const me = this.own?.entrant ?? -1;
    const row = sheet.standings.find((one) => one.entrant === me);
    const tables = sheet.playing.filter((table) => table.entrants.includes(me));
    return [sheet.status, row?.absent, row?.withdrawn, row?.name, tables, sheet.byes.includes(me)];
  }
  /** Who this browser is here, and which match waits. */
  async look(): Promise<void> {
    try {
      this.asker = await api.asker(this.id);
    } catch {
      // the next news asks again
    }
  }
  close(): void {
    this.source?.close();
  }

  async takePart(name: string): Promise<void> {
    const secret = known.find(this.id)?.own ?? newSecret();
    known.keep({ id: this.id, title: this.sheet?.title ?? "", game: this.sheet?.game ?? "", own: secret });
    await api.takePart(this.id, name, secret);
    await this.look();
  }
  async order(order: All["order"]): Promise<void> {
    this.take(await api.order(this.id, { ...order, id: crypto.getRandomValues(new Uint32Array(2)).join("-") }));
  }

  /** Sits down at the match that waits, and goes there. */
  async sit(): Promise<void> {
    const match = this.own?.match ?? "";
    const before = device.find(match);
    const seed = before ? null : await newSeed();
    const seated = await api.sitInTournament(this.id, seed?.commitment ?? null);
    if (seated.seat === null) return;
    if (seed && !this.own?.seated) keepSeed(seated.match, seated.seat, seed.seed);
    device.keep({ match: seated.match, game: this.sheet?.game ?? "", seats: [seated.seat], names: [], at: Date.now(), over: false, tournament: this.id });
    router.go(tablePath(seated.match, [seated.seat]));
  }
}

/** Points as people write them: 2½. */
export function points(value: number): string {
  const whole = Math.floor(value);
  if (value - whole === 0.5) return `${whole || ""}½`;
  return new Intl.NumberFormat(spoken(), { maximumFractionDigits: 2 }).format(value);
}
