// The layouts of Heaven and Earth: which square plays which part, and which squares are neighbours.
import type { All, Layout } from "../../generated/ur-modern";
import shipped from "../../generated/ur-modern.json";

export type View = All["view"];
export type Region = "earth" | "bridge" | "heaven";
export type Role = "fortress" | "entrance" | "kingdom" | "marduk" | "ishtar";

export interface Land {
  regions: ReadonlyMap<string, Region>;
  roles: ReadonlyMap<string, Role>;
  /** The two fortresses of each realm. */
  fortresses: Readonly<Record<"earth" | "heaven", readonly string[]>>;
  /** Light's and Dark's; the same square where they share one. */
  entrance: readonly string[];
  ishtar: string;
  /** Whether a piece can step from one to the other. */
  joined: (one: string, other: string) => boolean;
  /** Squares side by side without a step between them: a wall. */
  walls: readonly (readonly [string, string])[];
  /** Steps between squares that do not lie side by side; only layouts of a host's own have them. */
  bridges: readonly (readonly [string, string])[];
}

export const SQUARES: readonly string[] = ["a", "b", "c"].flatMap((row) =>
  Array.from({ length: 8 }, (_, n) => `${row}${n + 1}`).filter((name) => row === "b" || !"56".includes(name[1]!)),
);
const list = (squares: string): string[] => squares.split(/\s+/).filter(Boolean);

function beside(one: string, other: string): boolean {
  const [row, column] = [one.charCodeAt(0) - other.charCodeAt(0), Number(one[1]) - Number(other[1])];
  return Math.abs(row) + Math.abs(column) === 1;
}

export function land(layout: All["options"]["layout"]): Land {
  const plan = (typeof layout === "string" ? shipped[layout] : layout) as Layout;
  const regions = new Map<string, Region>();
  for (const region of ["earth", "bridge", "heaven"] as const) for (const square of list(plan[region])) regions.set(square, region);
  const roles = new Map<string, Role>();
  const give = (role: Role, squares: string): void => list(squares).forEach((square) => roles.set(square, role));
  give("fortress", `${plan.earth_fortresses} ${plan.heaven_fortresses}`);
  give("entrance", plan.entrance);
  give("kingdom", plan.kingdom);
  give("marduk", plan.marduk);
  give("ishtar", plan.ishtar);

  const pairs = SQUARES.flatMap((one, n) => SQUARES.slice(n + 1).map((other) => [one, other] as const));
  const chains = plan.route === "neighbours" ? null : plan.route.map(list);
  const links = new Set(chains?.flatMap((chain) => chain.slice(1).flatMap((square, n) => [`${chain[n]} ${square}`, `${square} ${chain[n]}`])));
  const joined = (one: string, other: string): boolean => (chains ? links.has(`${one} ${other}`) : beside(one, other));
  return {
    regions,
    roles,
    fortresses: { earth: list(plan.earth_fortresses), heaven: list(plan.heaven_fortresses) },
    entrance: list(plan.entrance),
    ishtar: plan.ishtar,
    joined,
    walls: pairs.filter(([one, other]) => beside(one, other) && !joined(one, other)),
    bridges: pairs.filter(([one, other]) => !beside(one, other) && joined(one, other)),
  };
}

/** The fortresses of a realm that a seat holds. */
export function held(view: View, on: Land, seat: number, realm: "earth" | "heaven"): number {
  return on.fortresses[realm].filter((square) => view.squares[seat]?.includes(square)).length;
}

/** The squares of pieces that nobody can take now (UM-14, UM-15). */
export function safe(view: View, on: Land): ReadonlySet<string> {
  const found = view.squares.flatMap((squares, seat) => {
    if (squares.length === 1 && squares[0] === on.entrance[seat]) return squares;
    return squares.includes(on.ishtar) ? squares.filter((square) => on.roles.get(square) === "fortress") : [];
  });
  return new Set(found);
}
