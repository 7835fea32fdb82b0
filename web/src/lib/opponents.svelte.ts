// Who plays by the rules that a form asks for, the perfect bot only where its table is there; and what to know of them.
import type { BotInfo, Opponents, TableOffer } from "../generated/wire";
import { api } from "./api";

const POLL = 1000; // milliseconds between two looks at a table that is being made
const LARGE = 20_000; // letters of an option that is not sent: a deck of questions makes no difference to who plays

/** The options but for those that are very large. */
const small = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== "object" || JSON.stringify(value).length < LARGE));

export class Rivals {
  bots: readonly BotInfo[] = $state.raw([]);
  table: TableOffer | null = $state.raw(null);
  /** What to know where no network knows these rules; empty where one does. */
  unfamiliar = $state("");
  /** A table was being made, and is there now. */
  finished = $state(false);
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks the server, and again every moment while a table is being made. */
  async look(game: string, preset: string, options: Record<string, unknown>, players: number): Promise<void> {
    const mine = ++this.asked;
    clearTimeout(this.timer);
    let found: Opponents;
    try {
      found = await api.opponents(game, preset, small(options), players);
    } catch {
      if (mine === this.asked) this.unfamiliar = ""; // that was said of other rules
      return; // options that are not possible are complained of when the table is opened
    }
    if (mine !== this.asked) return;
    this.finished = (this.table?.making ?? false) && found.table === null;
    [this.bots, this.table, this.unfamiliar] = [found.bots, found.table, found.unfamiliar ?? ""];
    if (found.table?.making) this.timer = setTimeout(() => void this.look(game, preset, options, players), POLL);
  }

  stop(): void {
    this.asked++;
    clearTimeout(this.timer);
  }
}
