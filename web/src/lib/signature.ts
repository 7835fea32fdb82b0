// The server's signature under a record, checked in this browser (docs/records.md).
import type { MatchRecord } from "./api";
import { bytes } from "./hex";

const PURPOSE = "astragal-signed-record-1\n";

/** `none`: not signed; `unable`: this browser cannot check; `other`: signed with a key that is not this server's. */
export type Signed = "none" | "unable" | "wrong" | "other" | "good";

/** JSON as RFC 8785 writes it: without spaces, keys in order of their UTF-16 units, numbers as JavaScript does. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const all = value as Record<string, unknown>;
  return `{${Object.keys(all).sort().map((key) => `${JSON.stringify(key)}:${canonical(all[key])}`).join(",")}}`;
}

/** Whether one of these public keys signed the record. Web Crypto is only there on https and localhost. */
export async function checkSignature(record: MatchRecord, keys: readonly string[]): Promise<Signed> {
  const { header, entries, result, signature } = record;
  if (!signature) return "none";
  if (!globalThis.crypto?.subtle) return "unable";
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("raw", bytes(signature.key), { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    return (error as Error).name === "NotSupportedError" ? "unable" : "wrong";
  }
  const signed = new TextEncoder().encode(PURPOSE + canonical({ header, entries, result }));
  if (!(await crypto.subtle.verify({ name: "Ed25519" }, key, bytes(signature.value), signed))) return "wrong";
  return keys.includes(signature.key) ? "good" : "other";
}
