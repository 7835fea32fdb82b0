// What a player may do besides moving: counting an answer that was refused.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, test } from "vitest";
import type { Table } from "../src/generated/wire";
import type { MatchPage } from "../src/lib/match.svelte";
import Controls from "../src/table/Controls.svelte";

afterEach(cleanup);

const place = (seat: number, player: string): object => ({ seat, title: `seat ${seat}`, player, name: "", ready: true, promised: false });

/** A running match in which this device holds some of the seats, and what it sent. */
function shown(changes: object, players: string[] = ["human", "human"], seats: number[] = [0]): object[] {
  const sent: object[] = [];
  const table = {
    status: "running", ply: 7, seats: players.map((player, seat) => place(seat, player)), claims: [], offer: null, can_count: false, times: { left: [] }, ...changes,
  } as unknown as Table;
  const page = { table, seats, face: seats[0], choices: [], complaint: "", send: (command: object) => (sent.push(command), Promise.resolve(true)) };
  render(Controls, { page: page as unknown as MatchPage, hint: () => undefined });
  return sent;
}

describe("counting a refused answer", () => {
  test("is offered to the others where an answer was refused", () => {
    const sent = shown({ can_count: true });
    screen.getByRole("button", { name: "Ask to count the answer" }).click();
    expect(sent).toEqual([{ type: "offer", what: "count" }]);
  });

  test("needs nobody else where only bots sit opposite", () => {
    shown({ can_count: true }, ["human", "bot:greedy"]);
    expect(screen.getByRole("button", { name: "Count the answer" })).toBeTruthy();
  });

  test("is not there where nothing was refused", () => {
    shown({});
    expect(screen.queryByRole("button", { name: /count the answer/i })).toBeNull();
  });

  test("waits while another offer is open", () => {
    shown({ can_count: true, offer: { what: "draw", seat: 1, waits_for: [0], text: "A draw?" } });
    expect(screen.getByRole("button", { name: "Ask to count the answer" })).toHaveProperty("disabled", true);
  });
});
