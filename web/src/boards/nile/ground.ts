// The board and the tiles of Nile as they are drawn: where fields lie, and how a line runs through one.
import type { All, Board, Laid, Lay, ScoreLine, TileSet } from "../../generated/nile";
import shipped from "../../generated/nile.json";

export type View = All["view"];
export type Kind = View["rack"][number];
export type { Laid, Lay, ScoreLine };

export interface Field {
  name: string;
  column: number;
  row: number; // from 0, at the start
  colour: "plain" | "start" | "green" | "red" | "group" | "blue";
  number: number;
}

/** A board made ready to be drawn. */
export interface Ground {
  columns: number;
  rows: number;
  fields: readonly Field[];
  at: ReadonlyMap<string, Field>;
  start: string;
  outline: string; // the edges of the U-groups
}

/** Where the river goes on, and the point at which it enters. */
export interface Head {
  field: string;
  entry: number;
}

export const SIDE = 40; // of a field, in units of the picture
export const POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;
export const KINDS: readonly Kind[] = ["straight", "curve", "far-left", "far-right", "diagonal", "near-left", "near-right", "bow", "universal"];
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY";

type Pair = readonly [number, number];
const STEPS: readonly Pair[] = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];
const SPOTS: readonly Pair[] = [[0.5, 0], [1, 0], [1, 0.5], [1, 1], [0.5, 1], [0, 1], [0, 0.5], [0, 0]];
const BEND = 0.66; // how far the river keeps the direction in which it enters
const SOUTH = 4;

const grounds = new Map<string | Board, Ground>();

/** A shipped board by its name, or a host's own. */
export function ground(board: View["options"]["board"]): Ground {
  const known = grounds.get(board);
  if (known) return known;
  const made = read(typeof board === "string" ? shipped[`board-${board}`] : board);
  grounds.set(board, made);
  return made;
}

function read(board: Board): Ground {
  const penalties = new Map(board.groups.map(({ letter, penalty }) => [letter, penalty]));
  const rows = board.rows.length;
  const letter = new Map<string, string>(); // of each field in a U-group; groups that share one never touch
  const fields = board.rows.flatMap((line, n) => {
    const [, ...signs] = line.trim().split(/\s+/);
    return signs.map((sign, column): Field => {
      const row = rows - 1 - n;
      const place = { name: `${LETTERS[column]}${row + 1}`, column, row };
      if (n === 0) return { ...place, colour: "blue", number: Number(sign) };
      if (sign.endsWith("#")) {
        letter.set(place.name, sign.slice(0, 1));
        return { ...place, colour: "group", number: penalties.get(sign.slice(0, 1)) ?? 0 };
      }
      if (sign === "*") return { ...place, colour: "start", number: 0 };
      if (sign === ".") return { ...place, colour: "plain", number: 0 };
      return { ...place, colour: sign.startsWith("+") ? "green" : "red", number: Math.abs(Number(sign)) };
    });
  });
  const at = new Map(fields.map((field) => [field.name, field]));
  const made = { columns: fields.length / rows, rows, fields, at, start: fields.find((field) => field.colour === "start")?.name ?? "", outline: "" };
  const edges: [number, string][] = [[0, `M0 0h${SIDE}`], [2, `M${SIDE} 0v${SIDE}`], [4, `M0 ${SIDE}h${SIDE}`], [6, `M0 0v${SIDE}`]];
  for (const [name, own] of letter)
    for (const [point, line] of edges) {
      const other = beyond(made, name, point);
      if (other !== null && letter.get(other) === own) continue;
      const [x, y] = corner(made, name);
      made.outline += line.replace(/^M(\d+) (\d+)/, (_, a: string, b: string) => `M${x + Number(a)} ${y + Number(b)}`);
    }
  return made;
}

/** The field that the river reaches at a point of another; null off the board. */
export function beyond(on: Pick<Ground, "columns" | "rows" | "at">, name: string, point: number): string | null {
  const field = on.at.get(name);
  const [across, up] = STEPS[point] ?? [0, 0];
  const next = `${LETTERS[(field?.column ?? -9) + across] ?? ""}${(field?.row ?? -9) + up + 1}`;
  return on.at.has(next) ? next : null;
}

/** The upper left corner of a field; the board's own is the origin, and row 1 is the lowest. */
export function corner(on: Pick<Ground, "rows" | "at">, name: string): [number, number] {
  const field = on.at.get(name);
  return field ? [field.column * SIDE, (on.rows - 1 - field.row) * SIDE] : [0, 0];
}

/** The corner of the place that an exit leads to, also where that lies beyond the far edge. */
export function toward(on: Ground, name: string, point: number): [number, number] {
  const [x, y] = corner(on, name);
  const [across, up] = STEPS[point] ?? [0, 0];
  return [x + across * SIDE, y - up * SIDE];
}

/** A point of a square whose corner is given. */
export function spot(point: number, side: number = SIDE, x = 0, y = 0): [number, number] {
  const [across, down] = SPOTS[point] ?? [0.5, 0.5];
  return [x + across * side, y + down * side];
}

/** The line of a river through a square; `joined` leaves out where it starts. */
export function way(entry: number, exit: number, side: number = SIDE, x = 0, y = 0, joined = false): string {
  const [first, last]: readonly [Pair, Pair] = [SPOTS[entry] ?? [0.5, 1], SPOTS[exit] ?? [0.5, 0]];
  const bent = ([a, b]: Pair): Pair => [a + BEND * (0.5 - a), b + BEND * (0.5 - b)];
  const write = ([a, b]: Pair): string => `${round(x + a * side)} ${round(y + b * side)}`;
  return `${joined ? "" : `M${write(first)}`}C${write(bent(first))} ${write(bent(last))} ${write(last)}`;
}

/** The whole river as one line, so that no seam shows between two tiles. */
export function course(on: Ground, river: readonly Laid[]): string {
  return river.map(({ field, entry, exit }, n) => way(entry, exit, SIDE, ...corner(on, field), n > 0)).join("");
}

const round = (number: number): number => Math.round(number * 10) / 10;

export const opposite = (point: number): number => (point + 4) % 8;

/** Where the river goes on after these tiles; null once it has ended. */
export function head(on: Ground, river: readonly Laid[]): Head | null {
  const last = river.at(-1);
  if (!last) return { field: on.start, entry: SOUTH };
  const next = beyond(on, last.field, last.exit);
  return next === null ? null : { field: next, entry: opposite(last.exit) };
}

/** The tiles that an action lays, as the river will hold them. */
export function laidBy(on: Ground, river: readonly Laid[], lay: Lay): Laid[] {
  const entry = head(on, river)?.entry ?? SOUTH;
  const lead: Laid = { field: lay.field, tile: lay.tile, entry, exit: lay.exit, stands: lay.stands, replaced: null, shut: false };
  const crossed = lay.crossing ? beyond(on, lay.field, lay.exit) : null;
  if (crossed === null) return [lead];
  const old = river.findLast((one) => one.field === crossed)?.tile ?? "straight";
  return [lead, { field: crossed, tile: "universal", entry: opposite(lay.exit), exit: lay.exit, stands: null, replaced: old, shut: false }];
}

/** The tiles of the turn in progress, or else of the last turn in which any were laid. */
export function lastTurn(view: View): readonly Laid[] {
  const laid = view.laid || (view.sheet.findLast((line) => line.how === "laid")?.tiles.length ?? 0);
  return laid ? view.river.slice(-laid) : [];
}

/** An action as it is written (the notation of the rules). */
export function written({ field, tile, exit, stands, crossing }: Lay): string {
  return `${field}:${tile}${stands ? `=${stands}` : ""}-${POINTS[exit]}${crossing ? "+universal" : ""}`;
}

export interface Stock {
  rack: number;
  bonus: number;
  value: Record<Kind, number>;
}

/** What the tiles of this table are worth, and how many make a rack. */
export function stock(tiles: View["options"]["tiles"]): Stock {
  const set = (typeof tiles === "string" ? shipped[`tiles-${tiles}`] : tiles) as TileSet;
  const value = Object.fromEntries(KINDS.map((kind) => [kind, set.tiles.find((tile) => tile.kind === kind)?.value ?? 0]));
  return { rack: set.rack, bonus: set.bonus, value: value as Record<Kind, number> };
}

/** One position of each kind, for tiles that lie nowhere. */
export const SHOWN: Record<Kind, readonly (readonly [number, number])[]> = {
  straight: [[4, 0]],
  curve: [[4, 2]],
  "far-left": [[4, 7]],
  "far-right": [[4, 1]],
  diagonal: [[5, 1]],
  "near-left": [[4, 5]],
  "near-right": [[4, 3]],
  bow: [[5, 3]],
  universal: [[4, 0], [5, 1], [6, 2], [7, 3]],
};
