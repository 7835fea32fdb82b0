// The browser's own check of a record that the server's code wrote and signed (tools/web.py).
import { describe, expect, test, vi } from "vitest";
import signed from "./signed-record.json";
import type { MatchRecord } from "../src/lib/api";
import { verify } from "../src/lib/fair";
import { canonical, checkSignature } from "../src/lib/signature";

const KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
const record = (): MatchRecord => structuredClone(signed) as unknown as MatchRecord;

describe("the signature of a record", () => {
  test("fits what the server signed", async () => {
    expect(await checkSignature(record(), [KEY])).toBe("good");
    expect(await checkSignature(record(), ["00".repeat(32), KEY])).toBe("good");
    expect(await checkSignature(record(), ["00".repeat(32)])).toBe("other");
  });

  test.each([
    ["a name", (one: any) => (one.header.seats[0].name = "Mallory")],
    ["the seats", (one: any) => one.header.seats.reverse()],
    ["the end", (one: any) => one.entries.splice(-1, 1, { type: "resigned", seat: 0 })],
    ["the result", (one: any) => (one.result = [1, 0])],
    ["who gave up a seat", (one: any) => delete one.header.fair.abandoned],
  ])("does not fit when %s is changed", async (_what, change) => {
    const forged = record();
    change(forged);
    expect(await checkSignature(forged, [KEY])).toBe("wrong");
  });

  test("is missed, not taken for granted", async () => {
    const { signature: _, ...bare } = record();
    expect(await checkSignature(bare, [KEY])).toBe("none");
  });

  test("is not claimed where the browser cannot check it", async () => {
    vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("", "NotSupportedError"));
    expect(await checkSignature(record(), [KEY])).toBe("unable");
  });

  test("is over JSON in its canonical form", () => {
    expect(canonical({ b: [1.0, 0.5, null], a: { "\u20ac": "é\n", "\ud83d\ude00": 1, "\ufb33": true } })).toBe(
      '{"a":{"\u20ac":"é\\n","\ud83d\ude00":1,"\ufb33":true},"b":[1,0.5,null]}',
    );
  });
});

describe("the dice of a record", () => {
  test("are those of its seeds, and who left before them is named", async () => {
    const verdict = await verify(record());
    expect(verdict).toMatchObject({ opened: true, promise: true, seats: [true, true], wrong: [], fresh: true });
    expect(verdict.draws).toBeGreaterThan(5);
    expect(verdict.abandoned).toEqual([{ seat: 1, name: "Ben 🏺", count: 1 }]);
  });

  test("are not fine when the server used the seed of that moment all the same", async () => {
    const stale = record();
    stale.header.fair.abandoned![0]!.server_commitment = stale.header.fair.server_commitment;
    expect((await verify(stale)).fresh).toBe(false);
  });
});
