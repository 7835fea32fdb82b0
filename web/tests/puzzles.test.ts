// Progress with puzzles, which stays on the device.
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { PuzzleEntry } from "../src/generated/wire";

const LIST: PuzzleEntry[] = ["a", "b", "c"].map((id) => ({ id, difficulty: "easy" }));

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});
const fresh = () => import("../src/lib/puzzles.svelte");

describe("progress with puzzles", () => {
  test("only the first try at a puzzle counts, and it is found again", async () => {
    const { progress } = await fresh();
    progress.keep("x", "a", "mistake", 0.06, null);
    progress.keep("x", "a", "solved", 0, null);
    progress.keep("x", "b", "solved", 0, null);
    expect(progress.tally("x", LIST)).toEqual({ solved: 1, tried: 2, loss: 0.03 });
    expect(progress.tally("y", LIST).tried).toBe(0);
    vi.resetModules();
    expect((await fresh()).progress.tally("x", LIST).solved).toBe(1);
  });

  test("the next one was not tried yet, until all were", async () => {
    const { progress } = await fresh();
    progress.keep("x", "a", "solved", 0, null);
    progress.keep("x", "c", "solved", 0, null);
    expect([0, 0.5, 0.99].map((draw) => progress.next("x", LIST, draw))).toEqual(["b", "b", "b"]);
    progress.keep("x", "b", "solved", 0, null);
    expect(progress.next("x", LIST, 0.99)).toBe("c");
    expect(progress.next("x", [], 0)).toBeUndefined();
  });

  test("days in a row end with a day that was left out", async () => {
    const { progress } = await fresh();
    for (const day of ["2026-02-26", "2026-02-28", "2026-03-01"]) progress.keep("x", day, "near", 0.01, day);
    expect(progress.streak("2026-03-01")).toBe(2);
    expect(progress.streak("2026-03-02")).toBe(2); // today's is still to come
    expect(progress.streak("2026-03-03")).toBe(0);
  });

  test("a date is written as the server writes it, in local time", async () => {
    const { today } = await fresh();
    expect(today(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
  });
});
