// The battlefield: how large it is, where the camps lie, who leads which army, and the odds of an attack.
import type { All, Attack, Board, Began } from "../../generated/egar";
import shipped from "../../generated/egar.json";

export type Army = Began["army"];
export type View = All["view"];

export const SIDE = 44; // of a square, in units of the picture
const ARMIES: readonly Army[] = ["military", "samurai", "native", "egyptian"];
const LETTERS = "ABCDEFGHIJKLM";
// What the rules say about one to four attackers (EG-10).
const ODDS: readonly number[] = [0, 1 / 2, 25 / 36, 19 / 24, 5501 / 6480];

export function board(options: All["options"]): Board {
  return typeof options.board === "string" ? shipped[options.board] : options.board;
}

export function army(options: All["options"], seat: number): Army {
  return options.colours[seat] ?? ARMIES[seat] ?? "military";
}

export function seatOf(view: View, of: Army): number {
  return view.armies.findIndex((_, seat) => army(view.options, seat) === of);
}

/** Column and row, both from 0, row 1 being the lowest. */
export function place(square: string): [number, number] {
  return [LETTERS.indexOf(square[0] ?? "A"), Number(square.slice(1)) - 1];
}

export function name(column: number, row: number): string {
  return `${LETTERS[column] ?? ""}${row + 1}`;
}

/** Every square, from the upper left as one reads. */
export function squares({ columns, rows }: Board): string[] {
  return Array.from({ length: columns * rows }, (_, n) => name(n % columns, rows - 1 - Math.floor(n / columns)));
}

/** The upper left corner of a square in the picture. */
export function corner({ rows }: Board, square: string): [number, number] {
  const [column, row] = place(square);
  return [column * SIDE, (rows - 1 - row) * SIDE];
}

export function centre(on: Board, square: string): [number, number] {
  const [x, y] = corner(on, square);
  return [x + SIDE / 2, y + SIDE / 2];
}

/** The squares of the camp round a flag. */
export function camp(on: Board, flag: string): string[] {
  const at = on.camp.flatMap((line, y) => [...line].flatMap((sign, x) => (sign === "F" ? [[x, y] as const] : [])))[0] ?? [0, 0];
  const [column, row] = place(flag);
  return on.camp.flatMap((line, y) => [...line].flatMap((sign, x) => (sign === "." ? [] : [name(column + x - at[0], row - (y - at[1]))])));
}

/** The enemies that can be attacked now, and who could be put at risk for it: all that take part. */
export function targets(view: View): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { target, risk } of view.legal.filter((action): action is Attack => action.type === "attack"))
    found.set(target, [...(found.get(target) ?? []), risk]);
  return found;
}

export function odds(soldiers: number): number {
  return ODDS[Math.min(soldiers, 4)] ?? 0;
}
