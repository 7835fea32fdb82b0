import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, test, vi } from "vitest";
import fixture from "../fixtures/egar.json";
import egar from "../src/boards/egar";
import { board, camp, targets } from "../src/boards/egar/field";
import type { All, Answered } from "../src/generated/egar";
import { props, scenes, type Scene } from "./scenes";

const all = scenes<All>(fixture);
vi.setConfig({ testTimeout: 60_000 }); // 169 squares take their time on a busy machine

/** One scene of every kind: what stage the turn is at, what led to it, and what can be done. */
const kinds = [...new Map(all.map((scene) => [[scene.view.phase, scene.event?.type, ...new Set(scene.view.legal.map((action) => action.type))].join(" "), scene])).entries()];

function find(wanted: (scene: Scene<All>) => boolean): Scene<All> {
  const scene = all.find(wanted);
  if (!scene) throw new Error("no fixture has such a scene");
  return scene;
}
const may = (type: string) => (scene: Scene<All>): boolean => scene.actions.length > 0 && scene.view.legal.some((action) => action.type === type);

const paths = (action: All["action"]): string[][] => {
  if (action.type === "step") return [[action.start, action.end]];
  if (action.type === "attack") return [[action.risk, action.target], [action.target, action.risk]];
  return action.type === "take" ? [[action.square]] : [];
};

describe("the board of EGAR", () => {
  test.each(kinds)("%s: everything legal can be done by touch", async (_, scene) => {
    const played: string[] = [];
    const { container, unmount } = render(egar.Board, { props: props(scene, { play: (text) => played.push(text) }) });
    const places = new Map([...container.querySelectorAll<SVGGElement>("[data-place]")].map((place) => [place.dataset.place, place]));
    for (const [n, choice] of scene.actions.entries()) {
      const ways = paths(scene.view.legal[n]!);
      for (const path of ways) {
        played.length = 0;
        for (const place of path) {
          expect(played).toEqual([]); // nothing is done before the last place is touched
          await fireEvent.click(places.get(place)!);
        }
        expect(played).toEqual([choice.text]);
      }
      if (ways.length) continue;
      played.length = 0;
      const button = [...container.querySelectorAll("button")].find((one) => [one.getAttribute("aria-label"), one.textContent?.trim()].some((name) => name?.toLowerCase().endsWith(choice.label.toLowerCase())));
      await fireEvent.click(button!);
      expect(played).toEqual([choice.text]);
    }
    if (!scene.actions.length) expect(container.querySelectorAll('[data-live="true"]').length).toBe(0);
    unmount();
  });

  test("the odds stand on the enemy and in the list before the attack is made", () => {
    const scene = find((one) => may("attack")(one) && [...targets(one.view).values()].some((risks) => risks.length === 2));
    const [target] = [...targets(scene.view)].find(([, risks]) => risks.length === 2)!;
    const { container } = render(egar.Board, { props: props(scene) });
    expect(container.querySelector(`[data-place="${target}"]`)!.getAttribute("aria-label")).toContain("69%");
    expect([...container.querySelectorAll("text.odds")].map((one) => one.textContent)).toContain("69%");
    expect(container.querySelector(".ways button")!.getAttribute("aria-label")).toContain("%");
  });

  test("a chosen soldier's goals are named after what a touch of them does", async () => {
    const scene = find(may("step"));
    const step = scene.view.legal.findIndex((action) => action.type === "step");
    const [start, end] = paths(scene.view.legal[step]!)[0]!;
    const { container } = render(egar.Board, { props: props(scene) });
    await fireEvent.click(container.querySelector(`[data-place="${start}"]`)!);
    expect(container.querySelector(`[data-place="${end}"]`)!.getAttribute("aria-label")).toBe(scene.actions[step]!.label);
  });

  test("an answer in one's own words is sent as it was typed", async () => {
    const played: string[] = [];
    const { container } = render(egar.Board, { props: props(find(may("give up")), { play: (text) => played.push(text) }) });
    await fireEvent.input(screen.getByLabelText("Your answer"), { target: { value: "  the Parthians " } });
    await fireEvent.submit(container.querySelector("form")!);
    expect(played).toEqual(["answer the Parthians"]);
  });

  test("the right answer and its note stay until they are put away, also when the match goes on", async () => {
    const asked = find((one) => one.view.phase === "answer" && one.view.question!.face!.options.length === 4);
    const options = asked.view.question!.face!.options;
    const note = { en: "A note.", de: "Eine Notiz.", es: "Una nota." };
    const answered: Answered = { type: "answered", army: "samurai", right: false, option: 2, text: "", judged: null, silent: false, counted: false, letter: 1, answer: options[1]!, note, result: { fell: null, left: null, won: [] } };
    const after = find((one) => one.view.phase === "roll");
    const moved = find((one) => one.view.phase === "move" && one.event?.type === "rolled");
    const { container, rerender } = render(egar.Board, { props: props(asked, { choices: [] }) });
    expect(container.querySelector(".right")).toBeNull();
    await rerender(props(after, { event: answered }));
    await rerender(props(moved));
    expect(container.querySelector(".option.right")!.textContent).toContain(options[1]!.en);
    expect(container.querySelector(".option.wrong")!.textContent).toContain(options[2]!.en);
    expect(screen.getByText("A note.")).toBeTruthy();
    await fireEvent.click(screen.getByLabelText("Put the card away"));
    expect(screen.queryByText("A note.")).toBeNull();
  });

  test("an answer is never shown on a card it does not belong to", async () => {
    const asked = find((one) => one.view.phase === "answer" && one.view.question!.face!.options.length === 4);
    const some = find((one) => one.event?.type === "answered");
    const event: Answered = { ...(some.event as Answered), right: true };
    const answered: Scene<All> = { ...some, view: { ...some.view, question: null }, event };
    const { container, rerender } = render(egar.Board, { props: props(asked) });
    await rerender(props(answered));
    expect(container.querySelector(".option")).toBeNull();
    expect(container.querySelector(".answer")!.textContent).toBe(event.answer!.en);
  });

  test("the table for screen readers shows every soldier and every flag", () => {
    for (const scene of all) {
      const cells = egar.grid(scene.view, scene.seats).rows.flatMap((row) => row.cells.map((cell) => cell.split(", ")));
      for (const [seat, soldiers] of scene.view.armies.entries())
        expect(cells.filter((parts) => parts.includes(scene.seats[seat]!.title)).length).toBe(soldiers.length);
      expect(cells.filter((parts) => parts[0]!.startsWith("flag of")).length).toBe(scene.view.flags.filter(Boolean).length);
    }
  });

  test("a board of one's own is drawn with its size and camps", () => {
    const pass = { name: "narrow pass", columns: 9, rows: 13, camp: ["sss", "sFs"], two: ["E1", "E12"], three: [], four: [] };
    const scene = all[0]!;
    const view = { ...scene.view, options: { ...scene.view.options, board: pass }, flags: pass.two, armies: pass.two.map((flag) => camp(pass, flag).filter((square) => square !== flag)) };
    expect(view.armies[0]).toEqual(["D2", "E2", "F2", "D1", "F1"]);
    const { container } = render(egar.Board, { props: props({ ...scene, view }) });
    expect(container.querySelectorAll("[data-place]").length).toBe(9 * 13);
    expect(board(view.options)).toBe(pass);
  });
});
