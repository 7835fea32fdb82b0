// Which puzzles were tried on this device, and how that went. No account: it stays in this browser.
import type { PuzzleAnswer, PuzzleEntry } from "../generated/wire";
import { recall, remember } from "./storage";
import { noted } from "./texts.svelte";

export type Grade = PuzzleAnswer["grade"];
export type Difficulty = PuzzleEntry["difficulty"];

export interface Tried {
  grade: Grade; // of the first try, which is the one that counts
  loss: number;
  at: number;
}

export const DIFFICULTIES: readonly Difficulty[] = ["easy", "medium", "hard"];
export const DIFFICULTY_NAMES: Record<Difficulty, string> = { easy: noted("easy"), medium: noted("medium"), hard: noted("hard") };
export const GRADES: Record<Grade, string> = {
  solved: noted("Solved"),
  near: noted("Near, but not the best"),
  mistake: noted("A mistake"),
  blunder: noted("A blunder"),
};

/** The date here, as the server writes dates. */
export function today(now = new Date()): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

class Progress {
  private games: Record<string, Record<string, Tried>> = $state(recall("puzzles", {}));
  private days: Record<string, string> = $state(recall("puzzle-days", {})); // day to grade

  of(game: string): Readonly<Record<string, Tried>> {
    return this.games[game] ?? {};
  }

  /** Only the first try at a puzzle is kept. */
  keep(game: string, puzzle: string, grade: Grade, loss: number, day: string | null): void {
    const known = this.of(game);
    if (!(puzzle in known)) this.games[game] = { ...known, [puzzle]: { grade, loss, at: Date.now() } };
    if (day !== null && !(day in this.days)) this.days = { ...this.days, [day]: grade };
    remember("puzzles", this.games);
    remember("puzzle-days", this.days);
  }

  /** How many of these were solved at the first try, how many were tried, and points lost a try. */
  tally(game: string, puzzles: readonly PuzzleEntry[]): { solved: number; tried: number; loss: number } {
    const found = puzzles.flatMap(({ id }) => this.of(game)[id] ?? []);
    const lost = found.reduce((sum, one) => sum + one.loss, 0);
    return { solved: found.filter((one) => one.grade === "solved").length, tried: found.length, loss: found.length ? lost / found.length : 0 };
  }

  /** Days in a row, up to this one or the one before, with a puzzle of the day. */
  streak(day: string): number {
    let count = 0;
    const at = new Date(`${day}T12:00:00`);
    if (!(day in this.days)) at.setDate(at.getDate() - 1);
    while (today(at) in this.days) {
      count += 1;
      at.setDate(at.getDate() - 1);
    }
    return count;
  }

  /** One of these that was not tried yet; once all were, any. */
  next(game: string, puzzles: readonly PuzzleEntry[], draw = Math.random()): string | undefined {
    const fresh = puzzles.filter(({ id }) => !(id in this.of(game)));
    const from = fresh.length ? fresh : puzzles;
    return from[Math.floor(draw * from.length)]?.id;
  }
}

export const progress = new Progress();
