// The boards of Ur: which squares there are, and which of them are rosettes.
import type { All, Board } from "../../generated/ur";
import shipped from "../../generated/ur.json";

export interface Track {
  ways: readonly (readonly string[])[]; // of each side, from its first square to its last
  squares: ReadonlySet<string>;
  rosettes: ReadonlySet<string>;
  columns: number;
}

export function track(path: All["options"]["path"]): Track {
  const board: Board = typeof path === "string" ? shipped[path] : path;
  const ways = [board.light, board.dark].map((line) => line.trim().split(/\s+/));
  const squares = new Set(ways.flat());
  return {
    ways,
    squares,
    rosettes: new Set(board.rosettes),
    columns: Math.max(...[...squares].map((square) => Number(square.slice(1)))),
  };
}

export function home(view: All["view"], seat: number): number {
  return view.options.pieces - (view.pools[seat] ?? 0) - (view.squares[seat]?.length ?? 0);
}
