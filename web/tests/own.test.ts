// Boards of a host's own arrive once and are put back into every view.
import { describe, expect, it } from "vitest";
import type { News } from "../src/generated/wire";
import { filled, unpacked } from "../src/lib/own";

const board = { name: "yard", columns: 5, rows: 5 };
const named = { data: "d1", name: "yard" };

function news(data: Record<string, unknown>, view: unknown): News {
  return { type: "news", events: [{ n: 1, at: 0, kind: "acted", text: "", view }], table: { view }, data } as unknown as News;
}

describe("own data", () => {
  it("is put back into the views of the news that bring it, and of later ones", () => {
    const view = { turn: 0, options: { board: named, level: "easy" } };
    for (const data of [{ d1: board }, {}]) {
      const seen = unpacked(news(data, view));
      expect(seen.table.view).toEqual({ turn: 0, options: { board, level: "easy" } });
      expect(seen.events[0]?.view).toEqual(seen.table.view);
    }
    expect(filled(view).options.board).toBe(board);
  });

  it("leaves other views as they are", () => {
    const shipped = { options: { board: "standard", deck: { name: "default", cards: [], blank: [1, 2, 3] } } };
    expect(filled(shipped)).toBe(shipped);
    expect(filled(null)).toBe(null);
  });
});
