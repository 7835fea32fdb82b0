// Heaven and Earth in words, beside what the server says.
import { later, noted, t, tn } from "../../lib/texts.svelte";
import type { All } from "../../generated/ur-modern";
import type { Grid, Odds, Seat, Sound, Throw } from "../board";
import { held, land, safe, type Land, type Region, type View } from "./land";

const REGIONS: Record<Region, string> = { earth: noted("Earth"), bridge: noted("Bridge"), heaven: noted("Heaven") };

export const regionName = (region: Region): string => later(REGIONS[region]);

/** What the throw offers, for who must decide. */
const OFFERS: Record<NonNullable<View["tips"]>, string> = {
  blank: noted("Two blanks: set a new piece next to one of yours, or on the Entrance."),
  one: noted("One coloured tip: move a piece 1 square, or set a new one on the Entrance."),
  mixed: noted("Gold and silver: move 2 squares in all, or set a new piece on the Kingdom or on the Entrance."),
  silver: noted("Two silver: move 2 squares in all, or set a new piece on the Field of Ishtar or on the Entrance."),
  gold: noted("Two gold: move 2 squares in all, or set a new piece on the Field of Marduk or on the Entrance."),
};

export function offer(view: View): string {
  if (view.tips === null || view.mover === null) return "";
  const on = land(view.options.layout);
  const parts = [later(OFFERS[view.tips])];
  if (["mixed", "silver", "gold"].includes(view.tips) && held(view, on, view.mover, "earth") === 2)
    parts.push(t("You rule the Earth: a piece that takes another may go on."));
  if (["silver", "gold"].includes(view.tips) && held(view, on, view.mover, "heaven") === 2)
    parts.push(t("You rule Heaven: one piece may go 3 squares."));
  return parts.join(" ");
}

/** What a square is. */
function part(on: Land, seats: readonly Seat[], square: string): string {
  const region = on.regions.get(square) ?? "earth";
  switch (on.roles.get(square)) {
    case "fortress":
      return region === "heaven" ? t("fortress of Heaven") : t("fortress of the Earth");
    case "entrance":
      return on.entrance[0] === on.entrance[1] ? t("Entrance") : t("Entrance of {side}", { side: seats[on.entrance.indexOf(square)]?.title ?? "" });
    case "kingdom":
      return t("Kingdom");
    case "marduk":
      return t("Field of Marduk");
    case "ishtar":
      return t("Field of Ishtar");
    default:
      return regionName(region);
  }
}

/** What a square is, where nobody sits at the table. */
export const squareName = (on: Land, square: string): string => part(on, [], square);

/** What stands there. */
function occupant(view: View, on: Land, seats: readonly Seat[], square: string): string {
  const owner = view.squares.findIndex((squares) => squares.includes(square));
  if (owner < 0) return t("empty");
  const side = seats[owner]?.title ?? "";
  return safe(view, on).has(square) ? t("{side}, protected", { side }) : side;
}

export function squareText(view: View, seats: readonly Seat[], square: string): string {
  const on = land(view.options.layout);
  return [square, part(on, seats, square), occupant(view, on, seats, square)].join(", ");
}

export function poolText(view: View, seats: readonly Seat[], seat: number): string {
  return tn(view.pools[seat] ?? 0, "{side}: {n} piece in the pool", "{side}: {n} pieces in the pool", { side: seats[seat]?.title ?? "" });
}

export function grid(view: View, seats: readonly Seat[]): Grid {
  const on = land(view.options.layout);
  const columns = Array.from({ length: 8 }, (_, n) => String(n + 1));
  const cell = (square: string): string =>
    on.regions.has(square) ? [part(on, seats, square), occupant(view, on, seats, square)].join(", ") : "";
  return { columns, rows: ["a", "b", "c"].map((row) => ({ name: row, cells: columns.map((column) => cell(row + column)) })) };
}

export function standing(view: View, seat: number): string {
  const on = land(view.options.layout);
  const forts = held(view, on, seat, "earth") + held(view, on, seat, "heaven");
  return t("{pool} in the pool, {held} of 4 fortresses", { pool: view.pools[seat] ?? 0, held: forts });
}

export function sound(event: All["event"]): Sound | null {
  switch (event.type) {
    case "lots fell":
    case "threw":
      return "throw";
    case "passed":
    case "claimed":
      return "pass";
    case "placed":
      return event.won ? "win" : event.taken.length ? "take" : "move";
    case "moved":
      return event.won ? "win" : event.taken.length ? "take" : event.again ? "bonus" : "move";
  }
}

export function lasts(event: All["event"]): number {
  return { "lots fell": 900, threw: 640, placed: 500, moved: 560, passed: 900, claimed: 900 }[event.type];
}

const FALLS: [All["view"]["tips"] & string, string, number][] = [
  ["blank", noted("two blanks"), 4],
  ["one", noted("one coloured tip"), 8],
  ["mixed", noted("gold and silver"), 2],
  ["silver", noted("two silver"), 1],
  ["gold", noted("two gold"), 1],
];

export function dice(event: All["event"]): Throw | null {
  return event.type === "threw" ? { seat: event.seat, value: event.tips } : null;
}

export function odds(): Odds[] {
  return FALLS.map(([value, label, weight]) => ({ value, label: later(label), weight }));
}
