// Nile in words, beside what the server says.
import { later, noted, number, t, tn } from "../../lib/texts.svelte";
import type { All } from "../../generated/nile";
import type { Grid, Seat, Sound } from "../board";
import { LETTERS, ground, head, type Field, type Kind, type Laid, type Lay, type View } from "./ground";

const NAMES: Record<Kind, string> = {
  straight: noted("straight"),
  curve: noted("curve"),
  "far-left": noted("far left"),
  "far-right": noted("far right"),
  diagonal: noted("diagonal"),
  "near-left": noted("near left"),
  "near-right": noted("near right"),
  bow: noted("bow"),
  universal: noted("universal"),
};

export const kindName = (kind: Kind): string => later(NAMES[kind]);

/** A total; less than nothing has a proper minus. */
export const plain = (points: number): string => `${points < 0 ? "−" : ""}${number(Math.abs(points))}`;

/** Points with their sign, as on a score sheet. */
export const signed = (points: number): string => `${points > 0 ? "+" : ""}${plain(points)}`;

const POINT_NAMES = [
  noted("the north"), noted("the northeast"), noted("the east"), noted("the southeast"),
  noted("the south"), noted("the southwest"), noted("the west"), noted("the northwest"),
];

/** What players call one of the eight points; its letters are for the notation. */
export const pointName = (point: number): string => later(POINT_NAMES[point] ?? "");

/** What a play is: the tile, what it stands for, and where it leads. */
export function playName(lay: Lay): string {
  const exit = pointName(lay.exit);
  const play = lay.stands
    ? t("universal as {kind} to {exit}", { kind: kindName(lay.stands), exit })
    : t("{kind} to {exit}", { kind: kindName(lay.tile), exit });
  return lay.crossing ? t("{play}, crossing the river", { play }) : play;
}

export function colourName(field: Field): string {
  const n = field.number;
  if (field.colour === "green") return t("green, earns {n}", { n });
  if (field.colour === "red") return t("red, costs {n}", { n });
  if (field.colour === "group") return t("red group, costs {n} once a turn", { n });
  return field.colour === "blue" ? t("blue, {n} for ending there", { n }) : "";
}

function tileName(one: Laid): string {
  const holes = { entry: pointName(one.entry), exit: pointName(one.exit) };
  const kind = one.replaced
    ? t("a universal in place of {kind}", { kind: kindName(one.replaced) })
    : one.stands
      ? t("a universal as {kind}", { kind: kindName(one.stands) })
      : kindName(one.tile);
  return t("{tile} from {entry} to {exit}", { tile: kind, ...holes });
}

/** The board field by field, the goal first. Plain fields stay empty, so that a listener hears what matters. */
export function grid(view: View, _seats: readonly Seat[]): Grid {
  const on = ground(view.options.board);
  const next = view.phase === "over" ? null : head(on, view.river);
  const lying = new Map(view.river.map((one) => [one.field, one]));
  const cell = (name: string): string => {
    const one = lying.get(name);
    if (one) return tileName(one);
    const field = on.at.get(name);
    const colour = field ? colourName(field) : "";
    if (next?.field !== name) return colour;
    const here = t("the river goes on here, entered from {point}", { point: pointName(next.entry) });
    return colour ? `${here}, ${colour}` : here;
  };
  const letters = [...LETTERS].slice(0, on.columns);
  const rows = Array.from({ length: on.rows }, (_, n) => String(on.rows - n));
  return { columns: letters, rows: rows.map((row) => ({ name: row, cells: letters.map((letter) => cell(letter + row)) })) };
}

export function standing(view: View, seat: number): string {
  if (view.gone.includes(seat)) return t("has given up");
  return tn(view.scores[seat] ?? 0, "{n} point, {tiles} on the rack", "{n} points, {tiles} on the rack", { tiles: view.sizes[seat] ?? 0 });
}

export function sound(event: All["event"]): Sound | null {
  if ("ended" in event && event.ended) return "win";
  if (event.type === "led") return event.laid.length > 1 ? "bonus" : "move";
  if (event.type === "drew") return event.begins === null ? null : "throw";
  if (event.type === "stopped") return event.line.bonus ? "bonus" : null;
  return "pass";
}

export function lasts(event: All["event"]): number {
  if (event.type === "drew") return event.begins !== null || event.tied.length ? 1600 : event.lots ? 300 : 140;
  return { led: 480, stopped: 800, passed: 1800, waited: 1000, "gave up": 900 }[event.type];
}

/** Somebody could not play, and lost points for it: that is read, also where it is one's own turn after it. */
export function dwells(event: All["event"]): boolean {
  return event.type === "passed";
}
