// How long things are shown, and dice that wait to be thrown.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import ur from "../src/boards/ur";
import type { BoardModule } from "../src/boards/board";
import type { Event } from "../src/generated/wire";
import { settings } from "../src/lib/settings.svelte";
import { Timeline } from "../src/lib/timeline.svelte";

const board = ur as unknown as BoardModule;
let n = 0;
const event = (what: object): Event => ({ n: ++n, at: 0, kind: "acted", text: JSON.stringify(what), event: what, view: { turn: 0 } }) as unknown as Event;
const threw = (seat: number, pips = 2): Event => event({ type: "threw", seat, pips, opening: false, begins: null });
const moved = (seat: number): Event => event({ type: "moved", seat, start: "a1", end: "a3", taken: false, rosette: false, again: false, won: false });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  settings.change({ motion: "auto", patience: 1 });
});

/** Milliseconds until all of these have been shown. */
function shown(events: Event[], awaited = false): number {
  let done = false;
  const timeline = new Timeline(() => board, () => awaited, () => (done = true));
  timeline.add(events);
  let ms = 0;
  for (; !done && ms < 20_000; ms += 10) vi.advanceTimersByTime(10);
  expect(done).toBe(true);
  return ms;
}

describe("a bot's turn in Ur", () => {
  test("takes at most 1.2 seconds", () => expect(shown([threw(1), moved(1)])).toBeLessThanOrEqual(1200));
  test("takes half a second where nothing may move", () => {
    settings.change({ motion: "off" });
    expect(shown([threw(1), moved(1)])).toBeLessThanOrEqual(510);
  });
  test("takes half a second where moves of others are shown briefly", () => {
    settings.change({ patience: 0.5 });
    expect(shown([threw(1), moved(1)])).toBeLessThanOrEqual(510);
  });
  test("is longer for whoever wants to see it for longer, also where nothing moves", () => {
    settings.change({ motion: "off", patience: 4 });
    expect(shown([threw(1), moved(1)])).toBeGreaterThan(1500);
  });
});

test("the first throw of a match waits too, with the board as it was when the match began", () => {
  const timeline = new Timeline(() => board, () => true, () => undefined, (one) => (one.event as { type: string }).type === "threw");
  const began = { n: ++n, at: 0, kind: "began", text: "The match begins.", view: { turn: -1 } } as unknown as Event;
  timeline.add([began, threw(0, 3)]);
  vi.advanceTimersByTime(5000);
  expect(timeline.held).not.toBeNull();
  expect(timeline.shown).toMatchObject({ view: began.view, event: null });
  expect(timeline.log).toEqual([began]);
});

test("dice that wait are neither shown nor told before they are thrown, and then show what was drawn", () => {
  const timeline = new Timeline(() => board, () => true, () => undefined, (one) => (one.event as { type: string }).type === "threw");
  timeline.add([moved(1), threw(0, 3)]);
  vi.advanceTimersByTime(5000);
  expect(timeline.held).not.toBeNull();
  expect(timeline.busy).toBe(true);
  expect(timeline.log.map((one) => (one.event as { type: string }).type)).toEqual(["moved"]);
  timeline.release();
  expect(timeline.shown?.event).toMatchObject({ type: "threw", pips: 3 });
  vi.advanceTimersByTime(2000);
  expect(timeline.busy).toBe(false);
  expect(timeline.log).toHaveLength(2);
});
