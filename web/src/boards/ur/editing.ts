// Setting up positions of Ur by hand.
import type { All } from "../../generated/ur";
import shipped from "../../generated/ur.json";
import { t } from "../../lib/texts.svelte";
import type { Editing, Placing } from "../board";
import Piece from "./Piece.svelte";
import { home, track } from "./way";

const ROWS = "cba";
const SIDES = ["light", "dark"];

function ways(path: All["options"]["path"]): readonly (readonly string[])[] {
  const board = typeof path === "string" ? shipped[path] : path;
  return [board.light.split(/\s+/), board.dark.split(/\s+/)];
}

function side(view: All["view"], { pieces, home }: Placing, seat: number): string {
  const on = (ways(view.options.path)[seat] ?? []).filter((square) => pieces[square] === seat);
  const pool = view.options.pieces - on.length - (home[seat] ?? 0);
  return `${pool}:${on.join(",") || "-"}:${home[seat] ?? 0}`;
}

export const editing: Editing<All> = {
  Piece,
  bearsOff: true,
  pieces: (view) => view.options.pieces,
  squares: (view) => {
    const { squares, rosettes } = track(view.options.path);
    const both = ways(view.options.path);
    return [...squares].map((id) => ({
      id,
      row: ROWS.indexOf(id[0] ?? ""),
      column: Number(id.slice(1)) - 1,
      label: rosettes.has(id) ? t("{square}, rosette", { square: id }) : id,
      marked: rosettes.has(id),
      seats: [0, 1].filter((seat) => both[seat]?.includes(id)),
    }));
  },
  read: (view) => ({
    pieces: Object.fromEntries(view.squares.flatMap((squares, seat) => squares.map((square) => [square, seat]))),
    home: [home(view, 0), home(view, 1)],
    turn: view.mover,
  }),
  write: (view, placing) => `${side(view, placing, 0)} ${side(view, placing, 1)} ${SIDES[placing.turn]} throw`,
};
