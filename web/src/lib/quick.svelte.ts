// Quick match: waiting for somebody who wants the same game by the same clock, also while one does something else.
import type { GameInfo } from "../generated/wire";
import { api, type TicketNews } from "./api";
import { device } from "./device.svelte";
import { keepSeed, newSeed } from "./fair";
import { games } from "./games.svelte";
import { hall } from "./hall.svelte";
import { identity } from "./identity.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { tablePath } from "./start";
import { recall, remember } from "./storage";

interface Held {
  ticket: string;
  secret: string;
  seed: string | null; // promised for fair dice
  game: string;
  clock: string;
  since: number;
}

export const BOT_AFTER = 20; // seconds after which a bot is offered

const AGAIN = 2_000; // milliseconds until the next try to sit down

class Quick {
  held: Held | null = $state.raw(recall<Held | null>("ticket", null));
  private taken = ""; // the ticket whose seat was entered

  constructor() {
    hall.onTicket = (news) => void this.hear(news);
    if (this.held) hall.wait({ ticket: this.held.ticket, secret: this.held.secret });
  }

  async ask(game: GameInfo, clock: string): Promise<void> {
    await identity.beforeSeat();
    const seed = await newSeed();
    const commitment = seed?.commitment ?? null;
    const { ticket, secret } = await api.quick({ game: game.id, preset: "", clock, name: settings.kept.name, commitment });
    this.keep({ ticket, secret, seed: seed?.seed ?? null, game: game.id, clock, since: Date.now() });
    hall.wait({ ticket, secret });
  }

  async leave(): Promise<void> {
    const held = this.held;
    if (!held) return;
    const news = await api.leaveQuick(held.ticket, held.secret);
    if (news.state === "seated") await this.hear(news);
    else this.keep(null);
  }

  private keep(held: Held | null): void {
    this.held = held;
    remember("ticket", held);
    if (!held) hall.wait(null);
  }

  private async hear(news: TicketNews): Promise<void> {
    const { ticket, state, match, seat } = news;
    const held = this.held;
    if (!held || held.ticket !== ticket || state === "waiting" || this.taken === ticket) return;
    if (state === "seated" && match !== null && seat !== null) {
      this.taken = ticket;
      try {
        await api.enter(match, held.secret);
      } catch {
        this.taken = "";
        setTimeout(() => void this.hear(news), AGAIN); // the server is away for a moment
        return;
      }
      if (held.seed) keepSeed(match, seat, held.seed);
      device.keep({ match, game: held.game, seats: [seat], names: [], at: Date.now(), over: false });
      hall.arrive(match, games.find(held.game)?.title ?? "");
      if (router.route.page === "" && !document.hidden) router.go(tablePath(match, [seat]));
    }
    this.keep(null);
  }
}

export const quick = new Quick();
