// The perfect bot before it can play: its table, offered and made by a hall on one's own computer.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BotInfo, Opponents, TableOffer } from "../src/generated/wire";
import { Rivals } from "../src/lib/opponents.svelte";
import PerfectTable from "../src/parts/PerfectTable.svelte";

const bot = { id: "perfect", level: "perfect", name: "Nabu", character: "Never errs." } as BotInfo;
const offer = (changes: Partial<TableOffer> = {}): TableOffer => ({
  can_make: true, text: "It takes about 5 min and 26 MB.", minutes: 5, megabytes: 26, making: false, share: 0, seconds_left: null, trouble: "", ...changes,
});

describe("the table of the perfect bot", () => {
  afterEach(cleanup);

  function shown(changes: Partial<TableOffer> = {}, complaint = ""): string[] {
    const done: string[] = [];
    render(PerfectTable, { bot, offer: offer(changes), busy: false, complaint, make: () => done.push("make"), cancel: () => done.push("cancel") });
    return done;
  }

  test("is offered with what it takes, and made at the press of a button", () => {
    const done = shown();
    expect(screen.getByRole("group", { name: "Nabu, perfect" }).textContent).toContain("about 5 min and 26 MB");
    screen.getByRole("button", { name: "Make the table" }).click();
    expect(done).toEqual(["make"]);
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  test("shows how far it is, and can be given up", () => {
    const done = shown({ can_make: false, making: true, share: 0.426, seconds_left: 125.4 });
    expect(screen.getByRole("progressbar", { name: "The table that is being made" })).toHaveProperty("value", 42);
    expect(screen.getByText(/42 % done/).textContent).toContain("about 2:05 left");
    expect(screen.queryByRole("button", { name: "Make the table" })).toBeNull();
    screen.getByRole("button", { name: "Give the table up" }).click();
    expect(done).toEqual(["cancel"]);
  });

  test("says why it cannot be made", () => {
    shown({ can_make: false, text: "It would take about 40 hours." });
    expect(screen.getByText("It would take about 40 hours.")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  test("says what went wrong", () => {
    shown({ trouble: "no space left" });
    expect(screen.getByRole("alert").textContent).toBe("The table could not be made: no space left");
  });
});

describe("who plays by some rules", () => {
  const answers: Opponents[] = [];
  const asked: unknown[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    answers.length = asked.length = 0;
    vi.stubGlobal("fetch", (path: string, how: RequestInit) => {
      asked.push([path.split("?")[0], JSON.parse(String(how.body))]);
      return Promise.resolve(new Response(JSON.stringify(answers.shift()), { status: answers.length >= 0 ? 200 : 500 }));
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("is asked for again while a table is being made, until the bot is there", async () => {
    const master = { ...bot, id: "master" };
    answers.push(
      { bots: [master], table: offer({ making: true, share: 0.5 }), unfamiliar: "No network knows these rules." },
      { bots: [master, bot], table: null, unfamiliar: null },
    );
    const rivals = new Rivals();
    await rivals.look("ur", "finkel", { pieces: 2, path: { name: "x".repeat(30_000) } }, 2);
    expect(asked).toEqual([["/api/games/ur/opponents", { preset: "finkel", options: { pieces: 2 }, players: 2 }]]);
    expect([rivals.table?.share, rivals.finished]).toEqual([0.5, false]);
    expect(rivals.unfamiliar).toBe("No network knows these rules.");
    await vi.advanceTimersByTimeAsync(1100);
    expect(rivals.bots.map((one) => one.id)).toEqual(["master", "perfect"]);
    expect([rivals.table, rivals.finished, rivals.unfamiliar]).toEqual([null, true, ""]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(2);
  });

  test("and what was said of other rules is not said of rules that are not possible", async () => {
    const note = "No network knows these rules.";
    answers.push({ bots: [], table: null, unfamiliar: note });
    const rivals = new Rivals();
    await rivals.look("ur", "finkel", { rosette_throws: false }, 2);
    expect(rivals.unfamiliar).toBe(note);
    vi.stubGlobal("fetch", () => Promise.reject(new Error("away")));
    await rivals.look("ur", "finkel", { pieces: 99 }, 2);
    expect(rivals.unfamiliar).toBe("");
  });

  test("is not asked for any more once the form is gone", async () => {
    answers.push({ bots: [], table: offer({ making: true }), unfamiliar: null }, { bots: [bot], table: null, unfamiliar: null });
    const rivals = new Rivals();
    await rivals.look("ur", "finkel", {}, 2);
    rivals.stop();
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(1);
  });
});
