// Taking a seat at somebody's table.
import type { Seated, Summary } from "../generated/wire";
import { api } from "./api";
import { device } from "./device.svelte";
import { keepSeed, newSeed } from "./fair";
import { identity } from "./identity.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { tablePath } from "./start";

type Table = Pick<Summary, "match" | "game">;

/** Sits down and goes to the table. `seat` null: any free one; `invite` is the secret of the link, where there is one. */
export function sitDown(table: Table, { seat = null, invite = "", replace = false }: { seat?: number | null; invite?: string; replace?: boolean } = {}): Promise<void> {
  return take(table, (commitment) => api.join(table.match, { seat, name: settings.kept.name, invite, commitment }), replace);
}

/** Takes the seat to which one was invited. */
export function acceptInvitation(table: Table): Promise<void> {
  return take(table, (commitment) => api.acceptInvitation(table.match, commitment));
}

/** Asks the server for a seat with the promise of a new seed, keeps both on this device, and goes to the table. */
async function take({ match, game }: Table, ask: (commitment: string | null) => Promise<Seated>, replace = false): Promise<void> {
  await identity.beforeSeat();
  const seed = await newSeed();
  const { seat, links } = await ask(seed?.commitment ?? null);
  if (seed && seat !== null) keepSeed(match, seat, seed.seed);
  const seats = seat === null ? [] : [seat];
  device.keep({ match, game, seats, names: [], at: Date.now(), over: false, join: links.join ?? undefined });
  router.go(tablePath(match, seats), { replace });
}
