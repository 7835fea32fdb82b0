import { render } from "@testing-library/svelte";
import { describe, expect, test } from "vitest";
import egarFixture from "../fixtures/egar.json";
import modernFixture from "../fixtures/ur-modern.json";
import nileFixture from "../fixtures/nile.json";
import urFixture from "../fixtures/ur.json";
import egar from "../src/boards/egar";
import nile from "../src/boards/nile";
import ur from "../src/boards/ur";
import modern from "../src/boards/ur-modern";
import type { BoardModule, Game } from "../src/boards/board";
import type { Review, Step } from "../src/generated/wire";
import { costliest, graphMarks, loss, lucky } from "../src/lib/review.svelte";
import { props, scenes } from "./scenes";

const CHANCE = -1;

function step(ply: number, seat: number, before: number, after: number): Step {
  return { ply, seat, action: `move-${ply}`, best: "", choices: seat === CHANCE ? 0 : 3, alternatives: [], before: [before, 1 - before], after: [after, 1 - after] };
}
const review = {
  steps: [step(1, CHANCE, 0.5, 0.6), step(2, 0, 0.6, 0.597), step(3, 1, 0.4, 0.47), step(4, 0, 0.47, 0.44), step(5, CHANCE, 0.44, 0.43), step(6, CHANCE, 0.43, 0.3)],
} as unknown as Review;

describe("what a review tells the page", () => {
  test("a loss is what the seat itself gave away, and a throw has none", () => {
    expect(review.steps.map((one) => Number(loss(one).toFixed(3)))).toEqual([0, 0.003, 0.07, 0.03, 0, 0]);
  });
  test("luck belongs to whom it helped", () => {
    expect(lucky(review.steps[0]!).seat).toBe(0);
    expect(lucky(review.steps[5]!).seat).toBe(1);
  });
  test("the graph marks mistakes and lucky throws, and no small ones", () => {
    expect(graphMarks(review).map(({ ply, kind }) => `${ply} ${kind}`)).toEqual(["6 luck", "1 luck", "3 blunder", "4 mistake"]);
  });
  test("the moves that cost most come worst first", () => {
    expect(costliest(review).map((one) => one.ply)).toEqual([3, 4]);
  });
});

const BOARDS: [string, BoardModule<Game>, { scenes: object }, string][] = [
  ["ur", ur as unknown as BoardModule<Game>, urFixture, "move"],
  ["ur-modern", modern as unknown as BoardModule<Game>, modernFixture, "move"],
  ["nile", nile as unknown as BoardModule<Game>, nileFixture, "lay"],
  ["egar", egar as unknown as BoardModule<Game>, egarFixture, "step"],
];

describe.each(BOARDS)("the board of %s", (_, board, fixture, type) => {
  test("draws what was played and what would have been better, and nothing can be touched", () => {
    const scene = scenes<Game>(fixture).find((one) => (one.view as { legal: { type: string }[] }).legal.filter((action) => action.type === type).length > 1)!;
    const [played, better] = (scene.view as { legal: { type: string }[] }).legal.filter((action) => action.type === type);
    const marks = [{ action: played!, kind: "played" as const }, { action: better!, kind: "better" as const }];
    const { container } = render(board.Board, { props: props(scene, { choices: [], marks }) });
    expect(container.querySelectorAll("svg .played").length).toBeGreaterThan(0);
    expect(container.querySelectorAll("svg .better").length).toBeGreaterThan(0);
    expect(container.querySelectorAll('[data-live="true"]').length).toBe(0);
  });
  test("draws neither elsewhere", () => {
    const { container } = render(board.Board, { props: props(scenes<Game>(fixture)[0]!) });
    expect(container.querySelectorAll("svg .played, svg .better").length).toBe(0);
  });
});
