// A private key on its way to another device: behind the # of a link, which no server ever sees, or in a file.

const KIND = "astragal-player-key-1";
const SECRET = /^[0-9a-f]{64}$/;

/** As it stands behind the #. */
export function asLink(secret: string): string {
  return btoa((secret.match(/../g) ?? []).map((pair) => String.fromCharCode(parseInt(pair, 16))).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The private key of a link; null if it is none, or not whole. */
export function fromLink(text: string): string | null {
  if (!/^[\w-]{43}$/.test(text)) return null;
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return [...letters].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** What a file holds; `astragal bot --key` reads the same. */
export function asFile(secret: string, key: string): { kind: string; key: string; secret: string } {
  return { kind: KIND, key, secret };
}

/** The private key of a file; null if it is none. */
export function fromFile(text: string): string | null {
  try {
    const { kind, secret } = JSON.parse(text) as { kind?: unknown; secret?: unknown };
    return kind === KIND && typeof secret === "string" && SECRET.test(secret) ? secret : null;
  } catch {
    return null;
  }
}
