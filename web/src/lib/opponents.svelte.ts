// Who plays by the rules that a form asks for: the perfect bot only where its table is there.
import type { BotInfo, Opponents, TableOffer } from "../generated/wire";
import { api } from "./api";

const POLL = 1000; // milliseconds between two looks at a table that is being made

export class Rivals {
  bots: readonly BotInfo[] = $state.raw([]);
  table: TableOffer | null = $state.raw(null);
  /** A table was being made, and is there now. */
  finished = $state(false);
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks the server, and again every moment while a table is being made. */
  async look(game: string, preset: string, options: Record<string, unknown>): Promise<void> {
    const mine = ++this.asked;
    clearTimeout(this.timer);
    let found: Opponents;
    try {
      found = await api.opponents(game, preset, options);
    } catch {
      return; // options that are not possible are complained of when the table is opened
    }
    if (mine !== this.asked) return;
    this.finished = (this.table?.making ?? false) && found.table === null;
    [this.bots, this.table] = [found.bots, found.table];
    if (found.table?.making) this.timer = setTimeout(() => void this.look(game, preset, options), POLL);
  }

  stop(): void {
    this.asked++;
    clearTimeout(this.timer);
  }
}
