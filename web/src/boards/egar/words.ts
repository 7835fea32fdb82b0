// EGAR in words, beside what the server says.
import { spoken, t, tn } from "../../lib/texts.svelte";
import type { All, Phrase } from "../../generated/egar";
import type { Grid, Odds, Seat, Sound, Throw } from "../board";
import { board, name, odds, seatOf, targets, type View } from "./field";

export const LETTERS = ["A", "B", "C", "D"] as const;

/** A text of a card in the language of the page. */
export function said(phrase: Phrase): string {
  return phrase[spoken()];
}

export function percent(soldiers: number): string {
  return new Intl.NumberFormat(spoken(), { style: "percent", maximumFractionDigits: 0 }).format(odds(soldiers));
}

/** What stands on a square, and whether it can be attacked. */
export function square(view: View, seats: readonly Seat[], of: string): string {
  const soldier = view.armies.findIndex((army) => army.includes(of));
  const flag = view.flags.indexOf(of);
  const parts: string[] = [];
  if (soldier >= 0) parts.push(t("{square}: a soldier of {army}.", { square: of, army: seats[soldier]?.title ?? "" }));
  if (flag >= 0) parts.push(t("{square}: the flag of {army}.", { square: of, army: seats[flag]?.title ?? "" }));
  if (!parts.length) parts.push(t("{square} is empty.", { square: of }));
  const attackers = targets(view).get(of);
  if (attackers)
    parts.push(tn(attackers.length, "{square} can be attacked by {n} soldier: {odds}.", "{square} can be attacked by {n} soldiers: {odds}.", { square: of, odds: percent(attackers.length) }));
  return parts.join(" ");
}

export function grid(view: View, seats: readonly Seat[]): Grid {
  const on = board(view.options);
  const attacked = targets(view);
  const cell = (of: string): string => {
    const soldier = view.armies.findIndex((army) => army.includes(of));
    const flag = view.flags.indexOf(of);
    const parts: string[] = [];
    if (flag >= 0) parts.push(t("flag of {army}", { army: seats[flag]?.title ?? "" }));
    if (soldier >= 0) parts.push(seats[soldier]?.title ?? "");
    const attackers = attacked.get(of);
    if (attackers) parts.push(percent(attackers.length));
    return parts.join(", ") || t("empty");
  };
  const columns = Array.from({ length: on.columns }, (_, n) => n);
  return {
    columns: columns.map((column) => name(column, 0).slice(0, 1)),
    rows: Array.from({ length: on.rows }, (_, n) => on.rows - 1 - n).map((row) => ({
      name: String(row + 1),
      cells: columns.map((column) => cell(name(column, row))),
    })),
  };
}

export function standing(view: View, seat: number): string {
  const soldiers = view.armies[seat]?.length ?? 0;
  return soldiers ? tn(soldiers, "{n} soldier", "{n} soldiers") : t("out");
}

export function sound(event: All["event"]): Sound | null {
  if (event.type === "rolled" || event.type === "fought") return "throw";
  if ("result" in event && event.result.won.length) return "win";
  if (event.type === "stepped") return "move";
  if (event.type === "asked") return event.face ? "question" : null;
  if (event.type === "answered") return event.right ? "right" : "wrong";
  if (event.type === "took") return "take";
  return event.type === "ended" || event.type === "resigned" ? "pass" : null;
}

/** The dice of a fight have fallen. */
export function soundAfter(event: All["event"]): Sound | null {
  if (event.type !== "fought") return null;
  if (event.result.won.length) return "win";
  return event.result.fell ? "take" : null;
}

const LASTS: Record<All["event"]["type"], number> = {
  began: 900,
  rolled: 800,
  stepped: 420,
  attacked: 1000,
  fought: 900,
  ended: 400,
  levelled: 600,
  asked: 1500,
  answered: 2600,
  took: 900,
  resigned: 1500,
};

export function lasts(event: All["event"]): number {
  if (event.type === "fought" && event.defends) return 1500;
  if (event.type === "asked" && !event.face) return 300;
  return LASTS[event.type];
}

/** Dice must be seen to fall, and a card is read, also where it is one's own turn after it. */
export function dwells(event: All["event"]): boolean {
  return event.type === "fought" || event.type === "answered";
}

/** The question stands on its card. */
export function tells(event: All["event"]): boolean {
  return event.type === "asked" && event.face !== null;
}

/** The die that says how many steps there are. */
export function dice(event: All["event"], view: View): Throw | null {
  return event.type === "rolled" ? { seat: seatOf(view, event.army), value: String(event.points) } : null;
}

export function dieOdds(): Odds[] {
  return [1, 2, 3, 4, 5, 6].map((points) => ({ value: String(points), label: String(points), weight: 1 }));
}
