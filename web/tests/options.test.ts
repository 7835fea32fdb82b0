// Words of the command line on rules pages, as the form says them.
import { expect, test } from "vitest";
import type { GameInfo } from "../src/generated/wire";
import { plainWords } from "../src/lib/options";
import { rulesName } from "../src/lib/words";

const option = (name: string, label: string, words: string[] = []): object => ({ name, label, words, each: null });
const game = {
  id: "ur",
  presets: { finkel: { pieces: 7, path: "bell", begins: "lots" }, blitz: { pieces: 5, path: "masters", begins: "lots" } },
  options: [option("pieces", "Pieces of each player"), option("path", "the way", ["bell", "masters"]), option("safe_rosettes", "Rosettes are safe")],
} as unknown as GameInfo;

test.each([
  ["--pieces", "Pieces of each player"],
  ["--preset blitz --pieces 7", "Blitz, Pieces of each player: 7"],
  ["--safe-rosettes off", "Rosettes are safe: no"],
  ["--path my-board.toml", "Board and way: my-board.toml"],
  ["finkel", "British Museum"],
  ["bell", "the usual way"],
  ["on", "yes"],
])("%s", (code, words) => expect(plainWords(game, code)).toBe(words));

test("the name of an option is one where the sentence says so", () => {
  expect([plainWords(game, "safe-rosettes", true), plainWords(game, "safe-rosettes")]).toEqual(["Rosettes are safe", null]);
});

test.each(["a1-b2", "light", "--position", "pass"])("%s is no option", (code) => expect(plainWords(game, code)).toBeNull());

test("rules are named by the preset that they are, whoever begins", () => {
  expect(rulesName(game, { pieces: 5, path: "masters", begins: 1 })).toBe("Blitz");
  expect(rulesName(game, { pieces: 6, path: "masters", begins: 1 })).toBe("House rules");
});
