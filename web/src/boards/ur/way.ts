// The boards of Ur: which squares there are, and which of them are rosettes.
import type { All, Board } from "../../generated/ur";
import shipped from "../../generated/ur.json";

export interface Track {
  squares: ReadonlySet<string>;
  rosettes: ReadonlySet<string>;
  columns: number;
}

export function track(path: All["options"]["path"]): Track {
  const board: Board = typeof path === "string" ? shipped[path] : path;
  const squares = new Set([...board.light.split(/\s+/), ...board.dark.split(/\s+/)]);
  return {
    squares,
    rosettes: new Set(board.rosettes),
    columns: Math.max(...[...squares].map((square) => Number(square.slice(1)))),
  };
}

export function home(view: All["view"], seat: number): number {
  return view.options.pieces - (view.pools[seat] ?? 0) - (view.squares[seat]?.length ?? 0);
}
