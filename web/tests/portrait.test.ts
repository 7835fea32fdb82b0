// Faces drawn from names.
import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import Avatar from "../src/art/Avatar.svelte";
import { portrait } from "../src/lib/portrait";

afterEach(cleanup);
const NAMES = ["Puabi", "Kubaba", "Ludlul", "Itti-Marduk", "Ada", "Ben", "Inés", "Zenobia", "Toma", "Kenji", ""];

test("the same name always has the same face, whatever its letters' case", () => {
  for (const name of NAMES) expect(portrait(name)).toEqual(portrait(` ${name.toLocaleUpperCase("en")} `));
});

test("different names look different", () => {
  expect(new Set(NAMES.map((name) => JSON.stringify(portrait(name)))).size).toBe(NAMES.length);
});

test("a bot is told from a person", () => {
  const ring = (bot: boolean): boolean => render(Avatar, { name: "Ada", bot }).container.querySelector(".ring")!.classList.contains("bot");
  expect([ring(true), ring(false)]).toEqual([true, false]);
});
