// Who sits where at a table that is being set up.
import { expect, test } from "vitest";
import { ofDevice, people, reseated, seating, seats, type Sitter } from "../src/lib/seating";

test("every mode fills the seats its own way", () => {
  expect(seating("bot", 3, 1, "strong")).toEqual(["bot:strong", "me", "bot:strong"]);
  expect(seating("device", 2, 0, "casual")).toEqual(["me", "here"]);
  expect(seating("friends", 2, 1, "casual")).toEqual(["friend", "me"]);
  expect(seating("mixed", 4, 0, "casual")).toEqual(["me", "friend", "bot:casual", "bot:casual"]);
  expect(seating("watch", 2, 0, "novice")).toEqual(["bot:novice", "bot:novice"]);
});

test("a mixed table is sent with its bots named, and all seats of people open", () => {
  const plan: Sitter[] = ["friend", "bot:strong", "me", "here"];
  expect(seats(plan)).toEqual(["open", "bot:strong", "open", "open"]);
  expect(ofDevice(plan)).toEqual([2, 3]); // the player's own seat first
  expect(people(plan)).toBe(3);
});

test("there is only one of oneself", () => {
  expect(reseated(["me", "friend", "bot:casual"], 2, "me")).toEqual(["here", "friend", "me"]);
  expect(reseated(["me", "friend"], 1, "bot:master")).toEqual(["me", "bot:master"]);
});
