import { fireEvent, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { describe, expect, test, vi } from "vitest";
import fixture from "../fixtures/nile.json";
import type { BoardProps } from "../src/boards/board";
import nile from "../src/boards/nile";
import { course, ground, head, laidBy, lastTurn, written, type Lay, type View } from "../src/boards/nile/ground";
import { filled, Plan } from "../src/boards/nile/plan.svelte";
import type { All } from "../src/generated/nile";
import { props as sceneProps, scenes, type Scene } from "./scenes";

vi.setConfig({ testTimeout: 60_000 }); // two cores that others use too

type Foreseen = Scene<All> & { foreseen?: Record<string, View> };
const all = scenes<All>(fixture) as Foreseen[];
const playable = all.filter((scene) => scene.actions.length && !/^nile, [34]/.test(scene.name));
const planned = all.filter((scene) => scene.foreseen);

const preview = (scene: Foreseen) => async (texts: readonly string[]): Promise<View> => {
  const found = scene.foreseen?.[texts.join(" ")];
  if (!found) throw new Error("no server");
  return found;
};

const props = (scene: Foreseen, more: Partial<BoardProps<All>> = {}): BoardProps<All> => sceneProps(scene, { preview: preview(scene), ...more });

const lays = (view: View): Lay[] => view.legal.filter((action): action is Lay => action.type === "lay");
const settled = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  await tick();
};
async function touch(container: Element, place: string): Promise<void> {
  const found = container.querySelector(`[data-place="${place}"]`);
  expect(found, place).not.toBeNull();
  await fireEvent.click(found!);
  await settled();
}
const button = (container: Element, what: string) => container.querySelector<HTMLButtonElement>(`[data-do="${what}"]`);
/** Where a kind lies on a rack that nobody has arranged. */
const slot = (view: View, lay: Lay): string => `slot-${view.rack.indexOf(lay.tile)}`;

describe("a river as it is drawn", () => {
  test.each(all.map((scene) => [scene.name, scene] as const))("%s: goes on where the rules say", (_, { view, actions }) => {
    const on = ground(view.options.board);
    for (const [n, action] of view.legal.entries()) {
      if (action.type !== "lay") continue;
      expect(head(on, view.river)?.field).toBe(action.field);
      expect(written(action)).toBe(actions[n]!.text);
    }
    for (const [n, one] of view.river.entries()) {
      const before = head(on, view.river.slice(0, n));
      expect([before?.field, before?.entry]).toEqual([one.field, one.entry]);
    }
    expect(course(on, view.river).split("C").length - 1).toBe(view.river.length);
  });

  test("a planned tile lies as the server will lay it", () => {
    for (const scene of planned)
      for (const lay of lays(scene.view)) {
        const after = scene.foreseen![written(lay)]!;
        const made = laidBy(ground(scene.view.options.board), scene.view.river, lay);
        const real = after.river.slice(scene.view.river.length);
        expect(made.map((one) => ({ ...one, shut: false }))).toEqual(real.map((one) => ({ ...one, shut: false })));
      }
  });

  test("a crossing lies over the tile beyond the exit", () => {
    const view = all.find((scene) => scene.view.river.length > 4)!.view;
    const on = ground(view.options.board);
    const at = { field: "E2", entry: 0 };
    const old = { field: "D2", tile: "straight", entry: 4, exit: 0, stands: null, replaced: null, shut: false } as const;
    const lead = { field: "E3", tile: "straight", entry: 0, exit: 4, stands: null, replaced: null, shut: false } as const;
    expect(head(on, [old, lead])).toEqual(at);
    const made = laidBy(on, [old, lead], { type: "lay", field: "E2", tile: "curve", exit: 6, stands: null, crossing: true });
    expect(made.map(({ field, tile, entry, exit, replaced }) => [field, tile, entry, exit, replaced])).toEqual([
      ["E2", "curve", 0, 6, null],
      ["D2", "universal", 2, 6, "straight"],
    ]);
    expect(head(on, [old, lead, ...made])).toEqual({ field: "C2", entry: 2 });
  });

  test("a host's own board and tiles are drawn", () => {
    const scene = playable[0]!;
    const board = { name: "brook", rows: ["4 30 20 10 20", "3 . A# A# A#", "2 +20 A# . A#", "1 . * -10 ."], groups: [{ letter: "A", penalty: 30 }] };
    const tiles = { name: "own", rack: 3, bonus: 5, tiles: [{ kind: "straight", count: 9, value: 7 } as const] };
    const view: View = { ...scene.view, options: { ...scene.view.options, board, tiles }, river: [], sheet: [], laid: 0, rack: ["straight"], legal: [], pending: null };
    const { container } = render(nile.Board, { props: props({ ...scene, view, actions: [] }) });
    expect(container.querySelectorAll('[data-place^="slot-"]').length).toBe(3);
    expect([...container.querySelectorAll(".number")].map((one) => one.firstChild?.textContent).join("")).toContain("30");
    expect(nile.grid(view, scene.seats).rows[3]!.cells).toEqual(["", "the river goes on here, entered from the south", "red, costs 10", ""]);
  });
});

describe("a turn that is planned", () => {
  test.each(playable.map((scene) => [scene.name, scene] as const))("%s: every legal action can be done by touch", async (_, scene) => {
    const played: string[] = [];
    const { container, getByText } = render(nile.Board, { props: props(scene, { play: (text) => played.push(text) }) });
    await settled();
    for (const [n, action] of scene.view.legal.entries()) {
      played.length = 0;
      if (action.type === "lay") {
        await touch(container, slot(scene.view, action));
        if (container.querySelector(`[data-place="turn-${action.exit}"]`)) await touch(container, `turn-${action.exit}`);
        expect(played).toEqual([]); // nothing counts before it is said so
        await fireEvent.click(button(container, "commit")!);
      } else {
        await fireEvent.click(button(container, action.type)!);
      }
      await settled();
      expect(played).toEqual([scene.actions[n]!.text]);
      if (action.type === "lay" && n + 1 < scene.actions.length) await fireEvent.click(getByText("Cancel"));
    }
  });

  test("several tiles are planned one after the other, with the server's score, and then sent as they are asked for", async () => {
    const scene = planned.find((one) => Object.keys(one.foreseen!).some((texts) => texts.split(" ").length > 1))!;
    const texts = Object.keys(scene.foreseen!).findLast((line) => line.split(" ").length > 1)!.split(" ");
    const played: string[] = [];
    const given = (view: View, actions = view.legal): BoardProps<All> =>
      props(scene, { view, choices: actions.map((action) => ({ text: action.type === "lay" ? written(action) : action.type, label: "" })), play: (text) => played.push(text) });
    const { container, rerender } = render(nile.Board, { props: given(scene.view) });
    await settled();
    let view = scene.view;
    const free = scene.view.rack.map((kind) => kind as string | null);
    for (const [n, text] of texts.entries()) {
      const lay = lays(view).find((one) => written(one) === text)!;
      const at = free.indexOf(lay.tile);
      free[at] = null;
      await touch(container, `slot-${at}`);
      if (container.querySelector(`[data-place="turn-${lay.exit}"]`)) await touch(container, `turn-${lay.exit}`);
      view = scene.foreseen![texts.slice(0, n + 1).join(" ")]!;
      const sum = view.pending?.total ?? 0;
      expect(container.querySelector(".turn output")?.textContent).toBe(`${sum > 0 ? "+" : sum < 0 ? "−" : ""}${Math.abs(sum)}`);
    }
    await fireEvent.click(button(container, "commit")!);
    await settled();
    expect(played).toEqual(texts.slice(0, 1));
    // The same position again, as after a word of chat, sends nothing twice.
    await rerender(given({ ...scene.view }));
    await settled();
    expect(played).toEqual(texts.slice(0, 1));
    for (let n = 1; n <= texts.length; n++) {
      await rerender(given(scene.foreseen![texts.slice(0, n).join(" ")]!));
      await settled();
    }
    expect(played).toEqual([...texts, "stop"]);
  });

  test("tiles are taken back one by one, by their slot, and by keys; the plan is not forgotten when nothing changed", async () => {
    const scene = planned[0]!;
    const { container, rerender } = render(nile.Board, { props: props(scene) });
    await settled();
    const first = slot(scene.view, lays(scene.view)[0]!);
    await touch(container, first);
    expect(button(container, "commit")).not.toBeNull();
    await rerender(props({ ...scene, view: structuredClone(scene.view) }));
    await settled();
    expect(button(container, "commit")).not.toBeNull();
    await touch(container, first); // its gap
    expect(button(container, "commit")).toBeNull();
    await touch(container, first);
    await fireEvent.keyDown(container.querySelector(`[data-place="${first}"]`)!, { key: "Backspace" });
    expect(button(container, "commit")).toBeNull();
    await touch(container, first);
    await rerender(props({ ...scene, view: { ...scene.view, turn: 1 - scene.view.turn, legal: [] }, actions: [] }));
    await settled();
    expect(container.querySelector(".ghost")).toBeNull();
  });

  test("a tile with two exits is turned by its button, by R and by touching it", async () => {
    const scene = playable.find((one) => lays(one.view).filter((lay) => lay.tile === "curve").length === 2)!;
    const { container } = render(nile.Board, { props: props(scene) });
    await settled();
    await touch(container, `slot-${scene.view.rack.indexOf("curve")}`);
    const shown = (): string | null => container.querySelector('[data-place="planned"]')!.getAttribute("aria-label");
    const [first, seen] = [shown(), new Set([shown()])];
    await fireEvent.click(button(container, "turn")!);
    seen.add(shown());
    expect(seen.size).toBe(2);
    await touch(container, "planned");
    expect(shown()).toBe(first);
    await fireEvent.keyDown(container.querySelector('[data-place^="slot-"]')!, { key: "r" });
    expect(shown()).not.toBe(first);
  });

  test("a hint is what its tile is laid as", async () => {
    const scene = playable.find((one) => lays(one.view).filter((lay) => lay.tile === "curve").length === 2)!;
    for (const lay of lays(scene.view).filter((one) => one.tile === "curve")) {
      const played: string[] = [];
      const { container, unmount } = render(nile.Board, { props: props(scene, { hint: written(lay), play: (text) => played.push(text) }) });
      await settled();
      await touch(container, slot(scene.view, lay));
      await fireEvent.click(button(container, "commit")!);
      await settled();
      expect(played).toEqual([written(lay)]);
      unmount();
    }
  });

  test("a preview that comes late does not overwrite a newer plan", async () => {
    const scene = planned[0]!;
    const plan = new Plan();
    plan.show(scene.view, true);
    const answers: ((view: View) => void)[] = [];
    const slow = (): Promise<View> => new Promise((resolve) => answers.push(resolve));
    const lay = lays(scene.view)[0]!;
    plan.add(scene.view.rack.indexOf(lay.tile), lay, slow);
    plan.back(slow);
    answers[0]!(scene.foreseen![written(lay)]!);
    await settled();
    expect(plan.ahead).toBeNull();
  });
});

describe("the rack", () => {
  test("keeps its order while tiles come and go", () => {
    expect(filled([], ["bow", "curve"])).toEqual(["bow", "curve"]);
    expect(filled(["curve", "bow", "straight"], ["bow", "straight"])).toEqual([null, "bow", "straight"]);
    expect(filled([null, "bow", null], ["bow", "bow", "universal"])).toEqual(["bow", "bow", "universal"]);
  });

  test("a tile is dragged even by a hand that leaves the rack at once, and dropped nowhere it is back", async () => {
    const scene = planned[0]!;
    const { container } = render(nile.Board, { props: props(scene) });
    await settled();
    const tile = container.querySelector(`[data-place="${slot(scene.view, lays(scene.view)[0]!)}"]`)!;
    const svg = container.querySelector<SVGSVGElement>(".rack svg")!;
    Object.assign(svg, { setPointerCapture: () => {}, getScreenCTM: () => new DOMMatrix() });
    document.elementFromPoint = () => null;
    await fireEvent.pointerDown(tile, { button: 0, clientX: 10, clientY: 10, pointerId: 1 });
    await fireEvent.pointerMove(window, { clientX: 200, clientY: 200, pointerId: 1 });
    expect(container.querySelector(".rack .ghost")).not.toBeNull();
    expect(container.querySelector('[data-place="head"]')).not.toBeNull();
    await fireEvent.pointerUp(window, { clientX: 200, clientY: 200, pointerId: 1 });
    expect(container.querySelector(".rack .ghost")).toBeNull();
    expect(button(container, "commit")).toBeNull();
    await fireEvent.pointerDown(tile, { button: 0, clientX: 10, clientY: 10, pointerId: 1 });
    await fireEvent.pointerMove(window, { clientX: 200, clientY: 200, pointerId: 1 });
    document.elementFromPoint = () => container.querySelector('[data-place="head"]');
    await fireEvent.pointerUp(window, { clientX: 200, clientY: 200, pointerId: 1 });
    await settled();
    expect(button(container, "commit")).not.toBeNull();
  });

  test("is arranged by keys, and sorted", async () => {
    const scene = playable.find((one) => one.view.rack.length === 5 && one.view.rack[0] !== one.view.rack[1])!;
    const { container, getByText } = render(nile.Board, { props: props(scene) });
    await settled();
    const names = (): (string | null)[] => [...container.querySelectorAll('[data-place^="slot-"]')].map((one) => one.getAttribute("aria-label")!.split(",")[0]!);
    const before = names();
    await fireEvent.keyDown(container.querySelector('[data-place="slot-0"]')!, { key: "ArrowRight", shiftKey: true });
    expect(names()).toEqual([before[1], before[0], ...before.slice(2)]);
    await fireEvent.click(getByText("Sort the rack"));
    expect(names()).toEqual(before); // the rules keep a rack in order
  });
});

describe("what is said and shown", () => {
  const shown = all.filter((scene) => /watching|over/.test(scene.name));
  test.each(shown.map((scene) => [scene.name, scene] as const))("%s: scores, bag, last turn and table; of other racks only the size", (_, scene) => {
    const { container, unmount } = render(nile.Board, { props: props(scene) });
    expect([...container.querySelectorAll(".points")].map((one) => Number(one.textContent!.replace("−", "-")))).toEqual(scene.view.scores);
    expect(container.textContent).toContain(`${scene.view.bag} tile`);
    expect(container.querySelectorAll(".sheet > li:not(.none)").length).toBe(scene.view.sheet.length);
    expect(container.querySelectorAll(".last > .plate").length).toBe(new Set(lastTurn(scene.view).map((one) => one.field)).size);
    expect(container.querySelectorAll(".backs i").length).toBe(scene.view.sizes.reduce((sum, size) => sum + size, 0));
    if (scene.you === null) expect(container.querySelectorAll('[data-place^="slot-"], [data-live="true"]').length).toBe(0);
    const cells = nile.grid(scene.view, scene.seats).rows.flatMap((row) => row.cells);
    expect(cells.filter((cell) => / from the \w+ to the \w+$/.test(cell)).length).toBe(new Set(scene.view.river.map((one) => one.field)).size);
    unmount();
  });

  test("lots are shown while they are drawn", () => {
    const scene = fixture.playthrough[4] as unknown as Foreseen;
    const { container } = render(nile.Board, { props: props(scene) });
    const drawn = scene.view.lots.reduce((sum, rounds) => sum + (rounds.at(-1)?.length ?? 0), 0);
    expect(drawn).toBeGreaterThan(0);
    expect(container.querySelectorAll('[aria-label="Who begins"] .plate').length).toBe(drawn);
  });

  test("every event has its time, and endings their sound", () => {
    for (const scene of all)
      if (scene.event) {
        expect(nile.lasts(scene.event)).toBeGreaterThan(0);
        if (scene.view.phase === "over") expect(nile.sound(scene.event)).toBe("win");
      }
  });
});
