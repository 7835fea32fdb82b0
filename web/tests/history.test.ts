// My games: what is counted from the finished matches of a device.
import { describe, expect, test } from "vitest";
import { beaten, opponents, resultOf, streaks, tally, type Finished } from "../src/lib/history.svelte";

let at = 0;
const match = (result: number[], other = "bot:casual", game = "ur", seats = [0]): Finished => {
  at += 1;
  const rest = result.slice(1).map((_, n) => ({ seat: n + 1, player: other.startsWith("bot:") ? other : "human", name: other.startsWith("bot:") ? "" : other }));
  return { match: String(at), game, at, seats, players: [{ seat: 0, player: "human", name: "Ada" }, ...rest], result };
};
const [WON, LOST, DRAWN] = [[1, 0], [0, 1], [0.5, 0.5]];

describe("a result", () => {
  test("is won, lost or drawn for the one seat of the device", () => {
    expect([WON, LOST, DRAWN].map((result) => resultOf(match(result)))).toEqual(["won", "lost", "drawn"]);
    expect(resultOf({ seats: [1], result: [1, 0] })).toBe("lost");
  });
  test("is nobody's where everybody played from the device, or it only looked on", () => {
    expect(resultOf({ seats: [0, 1], result: WON })).toBeNull();
    expect(resultOf({ seats: [], result: WON })).toBeNull();
  });
  test("of three is shared by those who have most", () => {
    expect(resultOf({ seats: [0], result: [0.5, 0.5, 0] })).toBe("drawn");
    expect(resultOf({ seats: [2], result: [0.5, 0.5, 0] })).toBe("lost");
  });
});

test("results are counted", () => {
  expect(tally([match(WON), match(WON), match(LOST), match(DRAWN)])).toEqual({ won: 2, lost: 1, drawn: 1 });
});

test("a row of wins ends with the first match that was none", () => {
  const played = [WON, WON, WON, LOST, WON, WON].map((result) => match(result));
  expect(streaks(played)).toEqual({ now: 2, best: 3 });
  expect(streaks([...played, match(DRAWN)])).toEqual({ now: 0, best: 3 });
  expect(streaks([])).toEqual({ now: 0, best: 0 });
});

test("whom one plays most stands first; a person is one in all games, a bot in each is another", () => {
  const played = [match(WON, "Ben"), match(LOST, "Ben", "nile"), match(WON, "bot:casual"), match(WON, "bot:casual", "nile")];
  const found = opponents(played);
  expect(found.map(({ place, game, won, lost }) => [place.name || place.player, game, won, lost])).toEqual([
    ["Ben", "", 1, 1],
    ["bot:casual", "nile", 1, 0],
    ["bot:casual", "ur", 1, 0],
  ]);
});

test("a level is beaten by a win against bots of that level alone", () => {
  const mixed = match([1, 0, 0], "bot:strong");
  mixed.players[2]!.player = "bot:novice";
  expect([...beaten([match(WON, "bot:casual"), match(LOST, "bot:master"), match(WON, "Ben"), mixed], "ur")]).toEqual(["casual"]);
});
