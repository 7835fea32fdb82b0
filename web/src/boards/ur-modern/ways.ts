// Which places to touch for which action.
//
// The rules name every result once (UM-10): of two pieces that move, only one order is listed, and of two that could
// change places only one way round. A player does not know which, so every order that leads there can be touched.
import type { Hop } from "../../generated/ur-modern";
import type { Choice } from "../board";
import type { Way } from "../parts/picker.svelte";
import { land, type Land, type View } from "./land";

export const POOL = "pool";

export function ways(view: View, choices: readonly Choice[]): Way[] {
  const on = land(view.options.layout);
  const moves = view.legal.map((action) => (action.type === "move" ? action.hops : null));
  const steps = new Set(moves.flatMap((hops) => (hops?.length === 1 && plain(hops[0]!) ? [named(hops[0]!)] : [])));
  const found = new Map<string, Way>();
  const offer = (n: number, path: readonly string[]): void => {
    const choice = choices[n];
    const key = path.join(" ");
    if (choice && !found.has(key)) found.set(key, { ...choice, path });
  };
  view.legal.forEach((action, n) => {
    if (action.type === "place") offer(n, [POOL, action.square]);
    if (action.type === "move") offer(n, action.hops.flatMap(route));
  });
  moves.forEach((hops, n) => {
    for (const other of hops ? rewritten(hops, view, on) : [])
      if (steps.has(named(other[0]!)) && on.joined(other[1]!.start, other[1]!.end)) offer(n, other.flatMap(route));
  });
  return [...found.values()];
}

const named = (hop: Hop): string => `${hop.start}-${hop.end}`;
const plain = (hop: Hop): boolean => hop.takes.length === 0;
const route = (hop: Hop): string[] => [hop.start, ...hop.takes, hop.end];
const step = (start: string, end: string): Hop => ({ start, end, takes: [] });

/** Two steps that might lead to the same: the first of them must be possible by itself. */
function rewritten(hops: readonly Hop[], view: View, on: Land): Hop[][] {
  const [one, other] = hops;
  if (!one || !hops.every(plain)) return [];
  if (other) {
    const [crossed, back] = [step(one.start, other.end), step(other.start, one.end)];
    return [[other, one], [crossed, back], [back, crossed]];
  }
  // A jump over a piece of one's own is that piece going ahead and this one following; on a fortress the follower would
  // earn another turn, and that is another action.
  const again = on.roles.get(one.end) === "fortress";
  return (view.squares[view.mover ?? 0] ?? [])
    .filter((middle) => on.joined(one.start, middle) && (again || on.roles.get(middle) !== "fortress"))
    .map((middle) => [step(middle, one.end), step(one.start, middle)]);
}

/** Where each piece that was touched would stand after these touches: its square, and where it goes if it goes. */
export function planned(taken: readonly string[], own: readonly string[]): { start: string; end: string }[] {
  const parts: { start: string; end: string }[] = [];
  for (const place of taken) {
    const last = parts.at(-1);
    const begins = !last || (last.end !== last.start && own.includes(place) && !parts.some((part) => part.start === place));
    if (begins) parts.push({ start: place, end: place });
    else last.end = place;
  }
  return parts.filter((part) => part.end !== part.start);
}
