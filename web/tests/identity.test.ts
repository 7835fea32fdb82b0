// The player's key: what it signs, how it travels, and which games it brings along.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { publicKey, sign } from "../src/lib/ed25519";
import { asFile, asLink, fromFile, fromLink } from "../src/lib/keyfile";
import { portrait } from "../src/lib/portrait";

// RFC 8032, 7.1, test 2
const SECRET = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
const PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const SIGNED = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

test("keys and signatures are those of the standard", () => {
  expect(publicKey(SECRET)).toBe(PUBLIC);
  expect(sign(SECRET, "r")).toBe(SIGNED);
});

test("a key survives a link and a file, and half a link is none", () => {
  const link = asLink(SECRET);
  expect(link).toMatch(/^[\w-]{43}$/);
  expect(fromLink(link)).toBe(SECRET);
  expect(fromLink(link.slice(1))).toBeNull();
  expect(fromLink(`${link.slice(1)}!`)).toBeNull();
  const file = JSON.stringify(asFile(SECRET, PUBLIC));
  expect(fromFile(file)).toBe(SECRET);
  for (const broken of ["", "{}", "null", file.replace(SECRET, SECRET.slice(1)), file.replace("key-1", "key-2")]) expect(fromFile(broken)).toBeNull();
});

test("a chosen face is not that of the name, and always the same", () => {
  expect(portrait("Ada", "00ff")).toEqual(portrait("Ben", "00ff"));
  expect(portrait("Ada", "00ff")).not.toEqual(portrait("Ada"));
});

// A server that answers as ours does; `said` is what it was asked.
const said: { path: string; body: Record<string, unknown> }[] = [];
let known = { name: "", face: "", lang: "en" };
let holder: string | null = null; // whose session the browser has
let refuses = false;

async function server(where: string, how: RequestInit): Promise<Response> {
  const path = where.split("?")[0]!;
  const body = JSON.parse((how.body as string | undefined) ?? "{}") as Record<string, unknown>;
  said.push({ path, body });
  if (refuses) return Response.json({ code: "quota", detail: "too many" }, { status: 429 });
  if (path.endsWith("/challenge")) return Response.json({ nonce: "00.1.ab", audience: "", player: holder, seconds: holder ? 86_400 : 0 });
  if (path.endsWith("/session") && how.method === "POST") {
    const fresh = !known.name;
    known = { ...known, ...(Object.fromEntries(Object.entries(body).filter(([field]) => field in known)) as typeof known) };
    holder = body.key as string;
    return Response.json({ player: { key: body.key, ...known }, session: "s", seconds: 86_400, new: fresh });
  }
  return Response.json({});
}

async function fresh() {
  vi.resetModules();
  const [{ identity }, { settings }] = await Promise.all([import("../src/lib/identity.svelte"), import("../src/lib/settings.svelte")]);
  return { identity, settings };
}

beforeEach(() => {
  localStorage.clear();
  [said.length, holder, refuses] = [0, null, false];
  known = { name: "", face: "", lang: "en" };
  vi.stubGlobal("fetch", server);
});
afterEach(() => vi.unstubAllGlobals());

test("the first seat makes a key, and later pages show the session they have", async () => {
  const { identity, settings } = await fresh();
  settings.change({ name: "Ada" });
  expect(identity.key).toBeNull();
  expect(await identity.signIn()).toBe(false); // nobody has sat down yet
  expect(said).toEqual([]);
  await identity.beforeSeat();
  expect(identity.signedIn).toBe(true);
  expect(said.map(({ path }) => path)).toEqual(["/api/players/challenge", "/api/players/session"]);
  expect(said[1]!.body).toMatchObject({ key: identity.key, name: "Ada" });
  expect(sign(identity.secret!, `astragal-player-1\n${location.origin}\n00.1.ab`)).toBe(said[1]!.body.signature);
  await identity.beforeSeat(); // signed in already
  expect(said).toHaveLength(2);
  const later = await fresh();
  expect(later.identity.key).toBe(identity.key);
  expect(await later.identity.signIn()).toBe(true);
  expect(said).toHaveLength(3); // only asked whose session it is
  later.settings.change({ name: "Ada L." });
  expect(await later.identity.signIn()).toBe(true);
  expect(said.at(-1)!.body).toMatchObject({ name: "Ada L." });
  expect(said.at(-1)!.body).not.toHaveProperty("lang"); // which has not changed
});

test("a server that has forgotten the player is told again who it is", async () => {
  const { identity, settings } = await fresh();
  settings.change({ name: "Ada" });
  await identity.beforeSeat();
  [known, holder] = [{ name: "", face: "", lang: "en" }, null];
  const later = await fresh();
  expect(await later.identity.signIn()).toBe(true);
  expect(later.settings.kept.name).toBe("Ada");
  expect(await later.identity.signIn()).toBe(true);
  expect(known.name).toBe("Ada");
});

test("a server that refuses makes a guest, and is not asked again at once", async () => {
  refuses = true;
  const { identity } = await fresh();
  await identity.beforeSeat();
  await identity.beforeSeat();
  expect(identity.signedIn).toBe(false);
  expect(identity.trouble?.code).toBe("quota");
  expect(said).toHaveLength(1);
});

test("whoever wants no key has none", async () => {
  const { identity, settings } = await fresh();
  settings.change({ guest: true });
  await identity.beforeSeat();
  expect(identity.key).toBeNull();
  expect(said).toEqual([]);
});

test("a key from another device brings its name and face, which replace those of this one", async () => {
  known = { name: "Ida", face: "0f", lang: "de" };
  const { identity, settings } = await fresh();
  settings.change({ name: "Somebody" });
  expect(await identity.adopt(SECRET)).toBe(true);
  expect(identity.key).toBe(PUBLIC);
  expect(said.at(-1)!.body).not.toHaveProperty("name");
  expect([settings.kept.name, settings.kept.face]).toEqual(["Ida", "0f"]);
  await identity.drop();
  expect(identity.key).toBeNull();
  expect(settings.kept.guest).toBe(true);
  expect(said.at(-1)!.path).toBe("/api/players/session");
});

test("a device that forgets its key is told no more turns of that player", async () => {
  const gone = vi.fn(async () => true);
  const given = { endpoint: "https://push.example.org/x", unsubscribe: gone };
  const worker = { pushManager: { getSubscription: async () => given } };
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("navigator", { ...navigator, language: "en", languages: ["en"], serviceWorker: { getRegistration: async () => worker } });
  const { identity } = await fresh();
  await identity.begin();
  await identity.drop();
  const asked = said.map(({ path }) => path);
  expect(asked.indexOf("/api/reminders/devices/remove")).toBeGreaterThan(0);
  expect(asked.indexOf("/api/reminders/devices/remove")).toBeLessThan(asked.lastIndexOf("/api/players/session"));
  expect(gone).toHaveBeenCalledOnce();
});
