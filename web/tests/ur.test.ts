import { fireEvent, render } from "@testing-library/svelte";
import { describe, expect, test } from "vitest";
import fixture from "../fixtures/ur.json";
import ur from "../src/boards/ur";
import type { All } from "../src/generated/ur";
import { props, scenes } from "./scenes";

const all = scenes<All>(fixture);

describe("the board of Ur", () => {
  test.each(all.map((scene) => [scene.name, scene] as const))("%s: every legal move can be made by touch", async (_, scene) => {
    for (const [n, action] of scene.view.legal.entries()) {
      if (action.type !== "move") continue;
      const played: string[] = [];
      const { container, unmount } = render(ur.Board, { props: props(scene, { play: (text) => played.push(text) }) });
      for (const place of [action.start, action.end]) {
        if (played.length) break;
        await fireEvent.click(container.querySelector(`[data-place="${place}"]`)!);
      }
      expect(played).toEqual([scene.actions[n]!.text]);
      unmount();
    }
  });

  test("who only watches can touch nothing", () => {
    for (const scene of all.filter((one) => one.you === null)) {
      const { container, unmount } = render(ur.Board, { props: props(scene) });
      expect(container.querySelectorAll('[data-live="true"]').length).toBe(0);
      unmount();
    }
  });

  test("the table for screen readers shows every piece on the board", () => {
    for (const scene of all) {
      const cells = ur.grid(scene.view, scene.seats).rows.flatMap((row) => row.cells);
      for (const seat of [0, 1] as const)
        expect(cells.filter((cell) => cell.endsWith(scene.seats[seat]!.title)).length).toBe(scene.view.squares[seat].length);
    }
  });
});
