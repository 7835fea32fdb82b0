// The games of this server, in the order of the hall, read once for each language.
import { exhibit } from "../boards/exhibits";
import type { GameInfo } from "../generated/wire";
import { api, type Trouble } from "./api";
import { spoken } from "./texts.svelte";

const place = (game: GameInfo): number => exhibit(game.id).place;

class Games {
  all: readonly GameInfo[] = $state.raw([]);
  trouble: Trouble | null = $state.raw(null);
  private read = "";

  /** Reads them if they are not there yet in the language of the page. */
  async load(again = false): Promise<void> {
    const language = spoken();
    if (this.read === language && !again) return;
    this.read = language;
    try {
      this.all = [...(await api.games())].sort((one, other) => place(one) - place(other) || 0); // those without a place stay as they are
      this.trouble = null;
    } catch (error) {
      this.read = "";
      this.trouble = error as Trouble;
    }
  }

  find(id: string): GameInfo | undefined {
    return this.all.find((game) => game.id === id);
  }
}

export const games = new Games();
