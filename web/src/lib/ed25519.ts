// Ed25519 by a library: Web Crypto is only there on https and localhost, and a hall is often in a local network. Loaded
// when somebody first signs in.
import { getPublicKey, hashes, sign as signed } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytes, hex } from "./hex";

hashes.sha512 = sha512;

/** A new private key. */
export function newSecret(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/** The public half of a private key. */
export function publicKey(secret: string): string {
  return hex(getPublicKey(bytes(secret)));
}

export function sign(secret: string, message: string): string {
  return hex(signed(new TextEncoder().encode(message), bytes(secret)));
}
