// The host's page: the secret that opens it, what it asks, and the orders it gives.
import { untrack } from "svelte";
import type { All, Backups, HostLimit, HostMatches, HostPlayer, HostTournament, LogLine, Overview, Storage } from "../generated/wire";
import { api, call, type Trouble } from "./api";

const NAME = "astragal.host";

function recall(): string {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

type Query = Record<string, string | number | undefined>;

class Host {
  private secret = recall();
  /** What the last order has done, and why the last one was refused. */
  said = $state("");
  complaint = $state("");
  busy = $state("");
  /** Why the page is not open: it wants a secret, or this computer may not open it at all. */
  shut = $state.raw<Trouble | null>(null);

  /** Keeps the secret for as long as the tab lives; a whole link will do. */
  open(text: string): void {
    this.secret = text.trim().split("#").at(-1) ?? "";
    this.shut = null;
    try {
      sessionStorage.setItem(NAME, this.secret);
    } catch {
      // forbidden: it is kept until the page is loaded anew
    }
  }
  leave(): void {
    this.open("");
  }

  private async headers(): Promise<Record<string, string>> {
    return { ...(await api.asHost()), ...(this.secret ? { "astragal-host": this.secret } : {}) };
  }
  private async ask<T>(path: string, query: Query = {}): Promise<T> {
    try {
      return await call<T>(`/host${path}`, { query, headers: await this.headers() });
    } catch (error) {
      const trouble = error as Trouble;
      if (["host_secret", "forbidden"].includes(trouble.code)) this.shut = trouble;
      throw error;
    }
  }

  overview = (): Promise<Overview> => this.ask<Overview>("");
  storage = (): Promise<Storage> => this.ask<Storage>("/storage");
  matches = (query: { status?: string; after?: string; find?: string }): Promise<HostMatches> => this.ask<HostMatches>("/matches", query);
  players = (find: string): Promise<HostPlayer[]> => this.ask<HostPlayer[]>("/players", { find });
  bans = (): Promise<string[]> => this.ask<string[]>("/bans");
  tournaments = (): Promise<HostTournament[]> => this.ask<HostTournament[]>("/tournaments");
  limits = (): Promise<HostLimit[]> => this.ask<HostLimit[]>("/limits");
  backups = (): Promise<Backups> => this.ask<Backups>("/backups");
  log = (after: number, level: string): Promise<LogLine[]> => this.ask<LogLine[]>("/log", { after, level });

  /** Carries out an order, and then what shows its result. */
  async order(order: All["hostOrder"], then: () => Promise<unknown> = async () => {}): Promise<void> {
    if (this.busy) return;
    [this.busy, this.said, this.complaint] = [order.type, "", ""];
    try {
      const done = await call<{ text: string }>("/host/orders", { method: "POST", body: order, headers: await this.headers() });
      await then();
      this.said = done.text;
    } catch (error) {
      this.complaint = (error as Error).message;
    } finally {
      this.busy = "";
    }
  }
}

export const host = new Host();

/** Looks for something now, and again every so many milliseconds while the page shows it; for an effect. */
export function again(look: () => Promise<void>, every: number): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let ended = false;
  const go = async (): Promise<void> => {
    await look().catch(() => {}); // why it failed stands on the page
    if (!ended) timer = setTimeout(() => void go(), every);
  };
  untrack(() => void go()); // what it reads before its first answer is no reason to begin anew
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
