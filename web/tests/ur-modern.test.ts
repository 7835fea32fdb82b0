import { fireEvent, render } from "@testing-library/svelte";
import { describe, expect, test, vi } from "vitest";
import fixture from "../fixtures/ur-modern.json";
import type { Choice } from "../src/boards/board";
import modern from "../src/boards/ur-modern";
import { land, safe, type View } from "../src/boards/ur-modern/land";
import { planned, ways } from "../src/boards/ur-modern/ways";
import type { All, Hop } from "../src/generated/ur-modern";
import { props, scenes, type Scene } from "./scenes";

vi.setConfig({ testTimeout: 60_000 }); // two cores that others use too

const all = scenes<All>(fixture);

const hop = (start: string, end: string, ...takes: string[]): Hop => ({ start, end, takes });
const place = (square: string): View["legal"][number] => ({ type: "place", square });
const move = (...hops: Hop[]): View["legal"][number] => ({ type: "move", hops });
const written = (action: View["legal"][number]): string =>
  action.type === "place" ? `+${action.square}` : action.type === "move" ? action.hops.map((one) => [one.start, ...one.takes].join("x") + `-${one.end}`).join("+") : action.type;
const choose = (legal: View["legal"]): Choice[] => legal.map((action) => ({ text: written(action), label: written(action) }));

/** A position of our own on the layout royal: whose turn it is, who stands where, and what may be done. */
function set(squares: [string[], string[]], legal: View["legal"], more: Partial<View> = {}): Scene<All> {
  const scene = all.find((one) => one.you === 0 && one.view.options.layout === "royal")!;
  const view: View = { ...scene.view, seat: 0, turn: 0, mover: 0, tips: "gold", squares, pools: [7 - squares[0].length, 7 - squares[1].length], legal, winner: null, ...more };
  return { ...scene, you: 0, view, event: null, actions: choose(legal) };
}

async function touched(scene: Scene<All>, path: readonly string[]): Promise<{ played: string[]; container: HTMLElement }> {
  const played: string[] = [];
  const { container } = render(modern.Board, { props: props(scene, { play: (text) => played.push(text) }) });
  for (const id of path) if (!played.length) await fireEvent.click(container.querySelector(`[data-place="${id}"]`)!);
  return { played, container };
}

describe("the board of Heaven and Earth", () => {
  test.each(all.filter((scene) => scene.actions.length).map((scene) => [scene.name, scene] as const))("%s: every legal action can be done by touch", async (_, scene) => {
    const played: string[] = [];
    const { container } = render(modern.Board, { props: props(scene, { play: (text) => played.push(text) }) });
    for (const [n, action] of scene.view.legal.entries()) {
      const path = action.type === "place" ? ["pool", action.square] : action.type === "move" ? action.hops.flatMap((one) => [one.start, ...one.takes, one.end]) : [];
      played.length = 0;
      for (const id of path) if (!played.length) await fireEvent.click(container.querySelector(`[data-place="${id}"]`)!);
      if (!played.length) await fireEvent.click(container.querySelector(".now .main")!);
      expect(played).toEqual([scene.actions[n]!.text]);
    }
  });

  test("a move that could go on waits for the second piece, and shows what was touched", async () => {
    const scene = set([["b2", "b4"], []], [move(hop("b2", "c2")), move(hop("b4", "b5")), move(hop("b2", "c2"), hop("b4", "b5"))]);
    const { played, container } = await touched(scene, ["b2", "c2"]);
    expect(played).toEqual([]);
    expect(container.querySelectorAll(".planned").length).toBe(1);
    expect(container.querySelector(".now .main")!.textContent).toBe("b2-c2");
    await fireEvent.click(container.querySelector(".now .quiet")!);
    expect(container.querySelectorAll(".planned").length).toBe(0);
    for (const id of ["b4", "b5", "b2"]) await fireEvent.click(container.querySelector(`[data-place="${id}"]`)!);
    expect(played).toEqual(["b2-c2+b4-b5"]); // in the order that the rules do not list
  });

  test("a piece that takes and goes on is led from square to square", async () => {
    const legal = [move(hop("b5", "b4")), move(hop("b5", "b3", "b4")), move(hop("b5", "b6"))];
    const { played } = await touched(set([["b5"], ["b3", "b4"]], legal), ["b5", "b4", "b3"]);
    expect(played).toEqual(["b5xb4-b3"]);
  });

  test("who only watches can touch nothing", () => {
    for (const scene of all.filter((one) => !one.actions.length)) {
      const { container, unmount } = render(modern.Board, { props: props(scene) });
      expect(container.querySelectorAll('[data-live="true"]').length).toBe(0);
      expect(container.querySelector(".now")).toBeNull();
      unmount();
    }
  });

  test.each(["royal", "lesser-earth", "lanes"] as const)("%s: twenty squares, each with its part in its name, and walls only where no step leads", (layout) => {
    const scene = set([["b1"], []], [], { options: { ...all[0]!.view.options, layout } });
    const { container } = render(modern.Board, { props: props(scene) });
    const names = [...container.querySelectorAll("[data-place]")].map((one) => one.getAttribute("aria-label") ?? "");
    const count = (part: string): number => names.filter((name) => name.includes(part)).length;
    expect(names.length).toBe(22);
    expect([count("fortress of the Earth"), count("fortress of Heaven"), count("Kingdom"), count("Field of Marduk"), count("Field of Ishtar")]).toEqual([2, 2, 3, 1, 1]);
    expect(count("Entrance")).toBe(layout === "lanes" ? 2 : 1);
    expect(container.querySelectorAll(".ridge").length).toBe(layout === "lanes" ? 8 : 0);
  });

  test("a host's own layout is drawn, with its far steps", () => {
    const own = {
      name: "own", earth: "a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4", bridge: "b5 b6", heaven: "a7 a8 b7 b8 c7 c8", earth_fortresses: "a2 c2",
      heaven_fortresses: "a8 c8", entrance: "a4 c4", kingdom: "b2 b3 b4", marduk: "b5", ishtar: "b8",
      route: ["a4 a3 a2 a1 b1", "c4 c3 c2 c1 b1", "b1 b2 b3 b4 b5 b6 b7 b8", "b8 a8 a7", "b8 c8 c7", "a4 a7", "c4 c7"],
    };
    const scene = set([["a4"], ["c4", "b8"]], [], { options: { ...all[0]!.view.options, layout: own } });
    const { container } = render(modern.Board, { props: props(scene) });
    expect(container.querySelectorAll(".rope").length).toBe(2);
    expect(container.querySelector('[data-place="a2"]')!.getAttribute("aria-label")).toContain("fortress");
    expect(container.querySelector('[data-place="a4"]')!.getAttribute("aria-label")).toContain("protected");
  });

  test("pieces that nobody can take carry a star: beside Ishtar on fortresses, and alone on the Entrance", () => {
    const on = land("royal");
    const view = (light: string[], dark: string[]): View => set([light, dark], []).view;
    expect([...safe(view(["a1", "b7", "b3"], ["c1", "b2"]), on)]).toEqual(["a1"]);
    expect([...safe(view(["b1"], ["c1", "b2"]), on)]).toEqual(["b1"]);
    const { container } = render(modern.Board, { props: props(set([["a1", "b7"], ["c1"]], [])) });
    expect(container.querySelectorAll(".guard").length).toBe(1);
  });

  test("the table for screen readers shows every piece on the board", () => {
    for (const scene of all) {
      const cells = modern.grid(scene.view, scene.seats).rows.flatMap((row) => row.cells);
      for (const seat of [0, 1] as const)
        expect(cells.filter((cell) => cell.split(", ")[1] === scene.seats[seat]!.title).length).toBe(scene.view.squares[seat].length);
    }
  });

  test("every event has its time, and a capture its own sound", () => {
    for (const scene of all) if (scene.event) expect(modern.lasts(scene.event)).toBeGreaterThan(0);
    const taken: All["event"] = { type: "moved", seat: 0, hops: [hop("a1", "a2")], taken: ["a2"], again: false, won: false };
    expect([modern.sound(taken), modern.sound({ ...taken, taken: [], again: true }), modern.sound({ ...taken, won: true })]).toEqual(["take", "bonus", "win"]);
  });
});

describe("touches that mean the same", () => {
  const texts = (scene: Scene<All>, path: string[]): string[] =>
    ways(scene.view, scene.actions).filter((way) => way.path.join(" ") === path.join(" ")).map((way) => way.text);

  test("two pieces that could change places may go either way round", () => {
    const legal = [move(hop("a2", "a1")), move(hop("a2", "b2")), move(hop("b1", "a1")), move(hop("b1", "b2")), move(hop("a2", "a1"), hop("b1", "b2"))];
    const scene = set([["a2", "b1"], []], legal);
    expect(texts(scene, ["a2", "b2", "b1", "a1"])).toEqual(["a2-a1+b1-b2"]);
    expect(texts(scene, ["b1", "a1", "a2", "b2"])).toEqual(["a2-a1+b1-b2"]);
  });

  test("a jump over one's own piece is also that piece ahead and this one behind, but not over a fortress", () => {
    const jump = [move(hop("b3", "b4")), move(hop("b2", "b4"))];
    expect(texts(set([["b2", "b3"], []], jump), ["b3", "b4", "b2", "b3"])).toEqual(["b2-b4"]);
    const over = [move(hop("a1", "b1")), move(hop("a2", "b1"))];
    expect(texts(set([["a1", "a2"], []], over), ["a1", "b1", "a2", "a1"])).toEqual([]);
  });

  test("a fortress that only the first move exposes cannot be touched first", () => {
    const legal = [move(hop("b6", "b7")), move(hop("b6", "b7"), hop("a8", "a7"))];
    const scene = set([["a8", "b6"], ["a7", "b7"]], legal);
    expect(texts(scene, ["a8", "a7", "b6", "b7"])).toEqual([]);
    expect(texts(scene, ["b6", "b7", "a8", "a7"])).toEqual(["b6-b7+a8-a7"]);
  });

  test("placings go through the pool", () => {
    expect(texts(set([["b1"], []], [place("b4"), place("a4")]), ["pool", "a4"])).toEqual(["+a4"]);
  });

  test("what is touched is shown where it would stand", () => {
    expect(planned(["b2"], ["b2", "b4"])).toEqual([]);
    expect(planned(["b2", "c2", "b4"], ["b2", "b4"])).toEqual([{ start: "b2", end: "c2" }]);
    expect(planned(["b3", "b4", "b2", "b3"], ["b2", "b3"])).toEqual([{ start: "b3", end: "b4" }, { start: "b2", end: "b3" }]);
    expect(planned(["b5", "b4", "b3"], ["b5"])).toEqual([{ start: "b5", end: "b3" }]);
  });
});
