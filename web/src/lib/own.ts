// Boards, layouts and decks of a host's own. The server sends each of them once and then names it by its digest;
// boards get views in which it is there again.
import type { News, OwnData } from "../generated/wire";

const known = new Map<string, unknown>();

function isNamed(value: unknown): value is OwnData {
  return typeof value === "object" && value !== null && "data" in value && "name" in value && Object.keys(value).length === 2;
}

/** A view as a board draws it. */
export function filled<V>(view: V): V {
  const options = (view as { options?: Record<string, unknown> } | null | undefined)?.options;
  if (!options || !Object.values(options).some(isNamed)) return view;
  const whole = Object.entries(options).map(([name, value]) => [name, isNamed(value) ? known.get(value.data) : value]);
  return { ...view, options: Object.fromEntries(whole) as unknown };
}

/** News with every view as a board draws it; remembers what it brings. */
export function unpacked(news: News): News {
  for (const [digest, value] of Object.entries(news.data)) known.set(digest, value);
  const events = news.events.map((event) => (event.view === undefined ? event : { ...event, view: filled(event.view) }));
  return { ...news, events, table: { ...news.table, view: filled(news.table.view) } };
}
