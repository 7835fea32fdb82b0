// Faces drawn from names.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import Avatar from "../src/art/Avatar.svelte";
import { bearer, portrait } from "../src/lib/portrait";

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

test("every bot that a level names has a face that fits it", () => {
  const games = "../src/astragal/games";
  const files = readdirSync(games).map((game) => join(games, game, "levels.py")).filter(existsSync);
  const levels = files.map((file) => readFileSync(file, "utf-8"));
  const names = levels.flatMap((text) => [...text.matchAll(/Level\(\s*"([^"]+)"|others=\(([^)]*)\)/g)]).flatMap(([, name, others]) => (name ? [name] : [...others!.matchAll(/"([^"]+)"/g)].map((one) => one[1]!)));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !bearer(name.toLocaleLowerCase("en")))).toEqual([]);
  const { style, beard } = portrait("Kubaba"); // a queen
  expect([style >= 3, beard]).toEqual([true, 0]);
});
