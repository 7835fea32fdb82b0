// Setting up positions by hand, and their addresses.
import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, test } from "vitest";
import modernFixture from "../fixtures/ur-modern.json";
import urFixture from "../fixtures/ur.json";
import type { Editing } from "../src/boards/board";
import { editing as modern } from "../src/boards/ur-modern/editing";
import { editing as classic } from "../src/boards/ur/editing";
import { exploreAddress, wanted } from "../src/lib/explore";
import PositionEditor from "../src/parts/PositionEditor.svelte";
import { scenes } from "./scenes";

const SIDES = ["Light", "Dark"];
const FIXTURES: Record<string, { scenes: object }> = { ur: urFixture, "ur-modern": modernFixture };

/** A position with room for more pieces of both sides. */
const some = (game: string): any =>
  scenes(FIXTURES[game]!)
    .map((scene) => scene.view as any)
    .find((view) => view.squares.flat().length > 3 && view.pools.every((pool: number) => pool > 0));

describe.each([
  ["ur", classic as unknown as Editing, /^\d:[a-c\d,-]+:\d \d:[a-c\d,-]+:\d (light|dark) throw$/],
  ["ur-modern", modern as unknown as Editing, /^\d:[a-c\d,-]+ \d:[a-c\d,-]+ (light|dark) throw$/],
])("a position of %s", (game, editing, form) => {
  test("is written with every piece where it stands", () => {
    const view = some(game);
    const text = editing.write(view, editing.read(view));
    expect(text).toMatch(form);
    const named = text.match(/[abc]\d+/g)?.sort();
    expect(named).toEqual(view.squares.flat().sort());
    expect(text.startsWith(`${view.pools[0]}:`)).toBe(true);
  });

  test("is changed by touching squares, with the mouse or the keyboard", async () => {
    const view = some(game);
    const changes: string[] = [];
    render(PositionEditor, { editing, view, sides: SIDES, change: (position: string) => changes.push(position) });
    const [free] = editing.squares(view).filter((square) => square.seats.length === 2 && !view.squares.flat().includes(square.id));
    const square = screen.getByRole("button", { name: new RegExp(`^${free!.label}`) });
    expect(square.getAttribute("aria-label")).toMatch(/empty$/);
    await fireEvent.click(square);
    expect(square.getAttribute("aria-label")).toMatch(/Light$/);
    await fireEvent.click(square);
    expect(square.getAttribute("aria-label")).toMatch(/Dark$/);
    await fireEvent.click(square);
    expect(square.getAttribute("aria-label")).toMatch(/empty$/);
    expect(changes).toHaveLength(3);
    expect(changes[2]).toBe(editing.write(view, editing.read(view)));
    expect(changes[0]?.split(" ")[0]).toContain(free!.id);
    expect(changes[1]?.split(" ")[1]).toContain(free!.id);
    await fireEvent.click(screen.getByRole("radio", { name: "Dark" }));
    expect(changes.at(-1)).toMatch(/dark throw$/);
    square.focus();
    await fireEvent.keyDown(square, { key: "ArrowRight" });
    await fireEvent.keyDown(document.activeElement!, { key: "ArrowLeft" });
    expect(document.activeElement).toBe(square);
  });
});

test("pieces are brought home and back by buttons, as long as there are any", async () => {
  const view = some("ur");
  const changes: string[] = [];
  render(PositionEditor, { editing: classic as unknown as Editing, view, sides: SIDES, change: (position: string) => changes.push(position) });
  const more = screen.getByRole("button", { name: "Light: one home more" });
  const waiting = view.pools[0] as number;
  for (let n = 0; n < waiting; n++) await fireEvent.click(more);
  expect(changes.at(-1)).toMatch(/^0:/);
  expect(more).toHaveProperty("disabled", true);
});

test("an address holds all of a position, and a broken one does no harm", () => {
  const path = exploreAddress("ur", "4:a1,b4:1 5:c2:1 light 3", { begins: 0, pieces: 7 });
  expect(path.startsWith("/explore/ur?")).toBe(true);
  const read = wanted(path.slice(path.indexOf("?")));
  expect(read.position).toBe("4:a1,b4:1 5:c2:1 light 3");
  expect(read.options).toEqual({ pieces: 7 });
  expect(wanted("?options={oops").options).toEqual({});
  expect(wanted("?match=abc&ply=12")).toMatchObject({ match: "abc", ply: 12, position: null });
});
