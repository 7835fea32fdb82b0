// Ur in words, beside what the server says.
import { t, tn } from "../../lib/texts.svelte";
import type { All } from "../../generated/ur";
import type { Grid, Odds, Seat, Sound, Throw } from "../board";
import { home, track } from "./way";

export function square(view: All["view"], seats: readonly Seat[], name: string): string {
  const { rosettes } = track(view.options.path);
  const owner = view.squares.findIndex((squares) => squares.includes(name));
  const side = seats[owner]?.title ?? "";
  if (owner < 0) return rosettes.has(name) ? t("{square}, rosette, empty", { square: name }) : t("{square}, empty", { square: name });
  return rosettes.has(name)
    ? t("{square}, rosette, {side}", { square: name, side })
    : t("{square}, {side}", { square: name, side });
}

export function grid(view: All["view"], seats: readonly Seat[]): Grid {
  const { squares, rosettes, columns } = track(view.options.path);
  const cell = (name: string): string => {
    if (!squares.has(name)) return "";
    const owner = view.squares.findIndex((found) => found.includes(name));
    const parts = [rosettes.has(name) ? t("rosette") : "", seats[owner]?.title ?? ""].filter(Boolean);
    return parts.join(", ") || t("empty");
  };
  const numbers = Array.from({ length: columns }, (_, n) => String(n + 1));
  return {
    columns: numbers,
    rows: ["a", "b", "c"].map((row) => ({ name: row, cells: numbers.map((n) => cell(row + n)) })),
  };
}

export function standing(view: All["view"], seat: number): string {
  return t("{pool} waiting, {home} home", { pool: view.pools[seat] ?? 0, home: home(view, seat) });
}

/** What the throw allows, for whoever is to move. */
export function offer(view: All["view"]): string {
  if (view.legal.every((action) => action.type === "pass")) return t("No piece can move with this throw.");
  return tn(view.throw ?? 0, "Move one of your pieces {n} square on.", "Move one of your pieces {n} squares on.");
}

export function sound(event: All["event"]): Sound | null {
  if (event.type === "threw") return "throw";
  if (event.type === "passed") return "pass";
  return event.won ? "win" : event.taken ? "take" : event.rosette ? "bonus" : "move";
}

export function lasts(event: All["event"]): number {
  return event.type === "threw" ? 540 : event.type === "passed" ? 900 : 460;
}

export function dice(event: All["event"]): Throw | null {
  return event.type === "threw" && !event.opening ? { seat: event.seat, value: String(event.pips) } : null;
}

export function odds(view: All["view"]): Odds[] {
  const weights: [number, number][] = view.options.dice === "four" ? [[0, 1], [1, 4], [2, 6], [3, 4], [4, 1]] : [[1, 3], [2, 3], [3, 1], [4, 1]];
  return weights.map(([pips, weight]) => ({ value: String(pips), label: String(pips), weight }));
}
