// Taking a seat at somebody's table.
import type { Summary } from "../generated/wire";
import { api } from "./api";
import { device } from "./device.svelte";
import { keepSeed, newSeed } from "./fair";
import { identity } from "./identity.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { tablePath } from "./start";

/** Sits down and goes to the table. `seat` null: any free one; `invite` is the secret of the link, where there is one. */
export async function sitDown(match: Pick<Summary, "match" | "game">, { seat = null, invite = "", replace = false }: { seat?: number | null; invite?: string; replace?: boolean } = {}): Promise<void> {
  const id = match.match;
  await identity.beforeSeat();
  const seed = await newSeed();
  const seated = await api.join(id, { seat, name: settings.kept.name, invite, commitment: seed?.commitment ?? null });
  if (seed && seated.seat !== null) keepSeed(id, seated.seat, seed.seed);
  const seats = seated.seat === null ? [] : [seated.seat];
  device.keep({ match: id, game: match.game, seats, names: [], at: Date.now(), over: false, join: seated.links.join ?? undefined });
  router.go(tablePath(id, seats), { replace });
}

/** Takes the seat to which one was invited. */
export async function acceptInvitation(match: Pick<Summary, "match" | "game">): Promise<void> {
  const id = match.match;
  await identity.beforeSeat();
  const seed = await newSeed();
  const { seat } = await api.acceptInvitation(id, seed?.commitment ?? null);
  if (seed && seat !== null) keepSeed(id, seat, seed.seed);
  const seats = seat === null ? [] : [seat];
  device.keep({ match: id, game: match.game, seats, names: [], at: Date.now(), over: false });
  router.go(tablePath(id, seats));
}
