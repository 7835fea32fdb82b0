import { beforeEach, describe, expect, test, vi } from "vitest";

async function loaded(): Promise<typeof import("../src/lib/hallkey")> {
  vi.resetModules();
  return import("../src/lib/hallkey");
}

describe("the key of a hall on this computer", () => {
  beforeEach(() => {
    sessionStorage.clear();
    history.replaceState(null, "", "/");
  });

  test("a ticket leaves the address, is exchanged once, and its key outlives a reload of the tab", async () => {
    history.replaceState(null, "", "/game/ur#hall=ab12.cd-34");
    const { takeTicket, hallKey } = await loaded();
    takeTicket();
    expect(location.pathname + location.hash).toBe("/game/ur");
    const exchange = vi.fn(async (ticket: string) => ({ key: `key of ${ticket}` }));
    expect(await Promise.all([hallKey(exchange), hallKey(exchange)])).toEqual(Array(2).fill("key of ab12.cd-34"));
    expect(await hallKey(exchange)).toBe("key of ab12.cd-34");
    expect(exchange).toHaveBeenCalledTimes(1);
    expect(await (await loaded()).hallKey(exchange)).toBe("key of ab12.cd-34");
    expect(exchange).toHaveBeenCalledTimes(1);
  });

  test("a ticket that is refused is forgotten, one that could not be shown yet is not", async () => {
    history.replaceState(null, "", "/#hall=ab12.cd34");
    const { takeTicket, hallKey } = await loaded();
    takeTicket();
    expect(await hallKey(() => Promise.reject({ code: "password" }))).toBeUndefined();
    expect(await hallKey(() => Promise.reject({ code: "forbidden" }))).toBeUndefined();
    const exchange = vi.fn(async () => ({ key: "never" }));
    expect(await hallKey(exchange)).toBeUndefined();
    expect(exchange).not.toHaveBeenCalled();
  });

  test("any other page has none", async () => {
    history.replaceState(null, "", "/join/abc#secret");
    const { takeTicket, hallKey } = await loaded();
    takeTicket();
    expect(location.hash).toBe("#secret");
    expect(await hallKey(async () => ({ key: "never" }))).toBeUndefined();
  });
});
