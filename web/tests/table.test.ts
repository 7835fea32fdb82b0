// What the table says of its players and their answers.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, test } from "vitest";
import Card from "../src/boards/egar/Card.svelte";
import type { Answered, Face } from "../src/generated/egar";
import { pointName } from "../src/boards/nile/words";
import { games } from "../src/lib/games.svelte";
import { speak } from "../src/lib/texts.svelte";
import { againstOf, playerName } from "../src/table/names";

afterEach(async () => {
  cleanup();
  await speak("en");
});

const phrase = (en: string) => ({ en, de: en, es: en });

describe("the card of a bot that has answered", () => {
  const face = { question: phrase("Who?"), options: ["Ann", "Ben", "Cleo", "Dan"].map(phrase) } as unknown as Face;
  const answered = { type: "answered", army: "samurai", right: false, option: null, text: "", silent: false, letter: null, answer: phrase("Cleo"), note: null } as unknown as Answered;

  test("shows which option was right, although no letter was told", () => {
    render(Card, { face, army: "samurai", title: "Samurai", told: { answered, face } });
    expect(screen.getByRole("img", { name: "right" }).closest(".option")?.textContent).toContain("Cleo");
  });

  test("says the answer where it is none of the options that were seen", () => {
    render(Card, { face: null, army: "samurai", title: "Samurai", told: { answered, face: null } });
    expect(screen.getByText("Cleo")).toBeTruthy();
  });
});

describe("names", () => {
  test("of several bots of one level differ", () => {
    const seats = [0, 1, 2].map((seat) => ({ seat, player: seat ? "bot:novice" : "human", name: "" }));
    expect(playerName(seats[1]!, "", seats)).not.toBe(playerName(seats[2]!, "", seats));
  });

  test("of a bot are those of the language, also where the server wrote them down in another", async () => {
    games.all = [{ id: "ur", seats: ["Hell", "Dunkel"], bots: [{ id: "novice", name: "Kubaba", level: "unerfahren", others: [] }] }] as never;
    const ada = { seat: 0, player: "human", name: "Ada" };
    const bot = { seat: 1, player: "bot:novice", name: "Kubaba (novice)" };
    expect(playerName(bot, "ur")).not.toContain("(novice)");
    expect(playerName({ ...bot, name: "Ben" }, "ur")).toContain("Ben"); // it plays for somebody who has left
    expect(againstOf({ game: "ur", seats: [0], players: [ada, bot] })).toBe("Against Kubaba");
    games.all = [];
  });

  test("of the points of the compass are those of the language", async () => {
    await speak("de");
    expect([2, 3].map(pointName)).toEqual(["Osten", "Südosten"]);
    await speak("es");
    expect([5, 6].map(pointName)).toEqual(["el suroeste", "el oeste"]);
  });
});
