// The address of a position in the explorer: all of it stands there, so that it can be passed on.

/** Only what differs from a game's first preset needs to be said; who says more does no harm. */
export function exploreAddress(game: string, position: string, options: Record<string, unknown> = {}): string {
  const query = new URLSearchParams({ position });
  const { begins: _, ...rest } = options;
  if (Object.keys(rest).length) query.set("options", JSON.stringify(rest));
  return `/explore/${game}?${query}`;
}

export interface Wanted {
  position: string | null;
  options: Record<string, unknown>;
  match: string | null; // a finished match, and where in it
  ply: number;
}

export function wanted(search: string): Wanted {
  const query = new URLSearchParams(search);
  let options: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(query.get("options") ?? "{}");
    if (typeof read === "object" && read !== null) options = read as Record<string, unknown>;
  } catch {
    // a link that was cut off: the usual rules
  }
  return { position: query.get("position"), options, match: query.get("match"), ply: Number(query.get("ply") ?? 0) };
}
