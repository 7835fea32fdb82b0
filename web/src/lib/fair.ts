// Dice that nobody can choose: this browser's own part in them, and the check afterwards (docs/records.md).
import type { MatchRecord } from "./api";
import { bytes, hex } from "./hex";
import { recall, remember, remembers } from "./storage";

const SPAN = 2 ** 48;
const encoder = new TextEncoder();

/** Web Crypto is only there on https and localhost; a hall in the local network gets the same from a library. */
async function sha256(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return (await import("@noble/hashes/sha2.js")).sha256(data);
}

type Signer = (message: string) => Promise<Uint8Array>;

async function signer(key: Uint8Array<ArrayBuffer>): Promise<Signer> {
  if (globalThis.crypto?.subtle) {
    const ready = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", ready, encoder.encode(message)));
  }
  const [{ hmac }, { sha256: hash }] = await Promise.all([import("@noble/hashes/hmac.js"), import("@noble/hashes/sha2.js")]);
  return async (message) => hmac(hash, key, encoder.encode(message));
}

export async function commit(seed: string): Promise<string> {
  return hex(await sha256(bytes(seed)));
}

/** A new seed and its promise; none where it could not be kept until it is opened. */
export async function newSeed(): Promise<{ seed: string; commitment: string } | null> {
  if (!remembers) return null;
  const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
  return { seed, commitment: await commit(seed) };
}

export function keepSeed(match: string, seat: number, seed: string): void {
  remember("seeds", { ...recall<Record<string, string>>("seeds", {}), [`${match}/${seat}`]: seed });
}

export function keptSeed(match: string, seat: number): string | null {
  return recall<Record<string, string>>("seeds", {})[`${match}/${seat}`] ?? null;
}

export function dropSeed(match: string, seat: number): void {
  const { [`${match}/${seat}`]: _, ...others } = recall<Record<string, string>>("seeds", {});
  remember("seeds", others);
}

export interface Verdict {
  opened: boolean; // the server has opened its seed
  promise: boolean; // ... and it is the one it had promised
  seats: (boolean | null)[]; // each seat's seed fits its promise; null: it brought none
  own: boolean | null; // the seed that this browser brought is among them; null: it brought none
  draws: number;
  wrong: number[]; // numbers of draws that do not follow from the seeds
  abandoned: { seat: number; name: string; count: number }[]; // seats that were given up after a seed was opened
  fresh: boolean; // ... and the server's seed of that moment was not used
}

/** Repeats every draw of a record. Weights are taken as written; `astragal verify` checks them by the rules too. */
export async function verify(record: MatchRecord, own: readonly string[] = []): Promise<Verdict> {
  const { fair, match } = record.header;
  const seats = await Promise.all(
    fair.seat_seeds.map(async (seed, n) =>
      seed === null ? null : (await commit(seed)) === fair.seat_commitments[n],
    ),
  );
  const verdict: Verdict = {
    opened: Boolean(fair.server_seed),
    promise: false,
    seats,
    own: own.length ? own.every((seed) => fair.seat_seeds.includes(seed)) : null,
    draws: 0,
    wrong: [],
    abandoned: counted(fair.abandoned ?? []),
    fresh: (fair.abandoned ?? []).every((gone) => gone.server_commitment !== fair.server_commitment),
  };
  if (!fair.server_seed) return verdict;
  verdict.promise = (await commit(fair.server_seed)) === fair.server_commitment;
  const sign = await signer(bytes(fair.server_seed));
  const seeds = fair.seat_seeds.map((seed) => seed ?? "-").join("|");
  const known = new Map<string, string>(); // which outcome an index stood for, under the same weights
  for (const entry of record.entries) {
    if (entry.type !== "drew" || entry.n === undefined || !entry.weights) continue;
    const index = await draw(sign, seeds, match, entry.n, entry.weights);
    const place = `${entry.weights.join(" ")}:${index}`;
    const before = known.get(place);
    if (entry.n !== verdict.draws || (before !== undefined && before !== entry.action && !changes(entry.action ?? "")))
      verdict.wrong.push(entry.n);
    known.set(place, entry.action ?? "");
    verdict.draws += 1;
  }
  return verdict;
}

function counted(all: readonly { seat: number; name: string }[]): Verdict["abandoned"] {
  const found = new Map<string, Verdict["abandoned"][number]>();
  for (const { seat, name } of all) {
    const key = `${seat}/${name}`;
    found.set(key, { seat, name, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

/** Cards leave the deck as they are drawn, so the same index may mean another one later. */
function changes(outcome: string): boolean {
  return outcome.startsWith("card-");
}

async function draw(sign: Signer, seeds: string, match: string, n: number, weights: readonly number[]): Promise<number> {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const limit = SPAN - (SPAN % total);
  for (let k = 0; ; k += 1) {
    const signed = await sign(`astragal-fair-1|${seeds}|${match}|${n}|${k}`);
    let number = signed.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
    if (number >= limit) continue;
    number %= total;
    return weights.findIndex((weight) => (number -= weight) < 0);
  }
}
