// Who sits where at a table that is being set up.

/** Who takes a seat: the player of this device, somebody else at it, a friend by a link, or a bot. */
export type Sitter = "me" | "here" | "friend" | `bot:${string}`;

export type Mode = "bot" | "device" | "friends" | "mixed" | "watch";

/** The seats as a mode fills them; a mixed table begins with a friend and bots. */
export function seating(mode: Mode, count: number, own: number, bot: string): Sitter[] {
  const friend = own === 0 ? 1 : 0;
  return Array.from({ length: count }, (_, seat): Sitter => {
    if (mode === "watch") return `bot:${bot}`;
    if (seat === own) return "me";
    if (mode === "mixed") return seat === friend ? "friend" : `bot:${bot}`;
    return mode === "bot" ? `bot:${bot}` : mode === "device" ? "here" : "friend";
  });
}

/** As a new match takes them: who sits at a device or comes by a link finds the seat open. */
export function seats(plan: readonly Sitter[]): string[] {
  return plan.map((sitter) => (sitter.startsWith("bot:") ? sitter : "open"));
}

/** The seats of this device, the player's own first. */
export function ofDevice(plan: readonly Sitter[]): number[] {
  const own = plan.flatMap((sitter, seat) => (sitter === "me" ? [seat] : []));
  return [...own, ...plan.flatMap((sitter, seat) => (sitter === "here" ? [seat] : []))];
}

/** Whether time and hints matter between people: at least two of them play. */
export function people(plan: readonly Sitter[]): number {
  return plan.filter((sitter) => !sitter.startsWith("bot:")).length;
}

/** Only one seat can be the player's own: whoever had it before becomes somebody else at this device. */
export function reseated(plan: readonly Sitter[], seat: number, sitter: Sitter): Sitter[] {
  return plan.map((before, n) => (n === seat ? sitter : sitter === "me" && before === "me" ? "here" : before));
}
