// Setting up positions of Heaven and Earth by hand.
import type { All } from "../../generated/ur-modern";
import type { Editing, Placing } from "../board";
import Piece from "../ur/Piece.svelte";
import { SQUARES, land } from "./land";
import { squareName } from "./words";

const ROWS = "cba";
const SIDES = ["light", "dark"];

function side(view: All["view"], { pieces }: Placing, seat: number): string {
  const on = SQUARES.filter((square) => pieces[square] === seat);
  return `${view.options.pieces - on.length}:${on.join(",") || "-"}`;
}

export const editing: Editing<All> = {
  Piece,
  bearsOff: false,
  pieces: (view) => view.options.pieces,
  squares: (view) => {
    const on = land(view.options.layout);
    return SQUARES.map((id) => ({
      id,
      row: ROWS.indexOf(id[0] ?? ""),
      column: Number(id.slice(1)) - 1,
      label: `${id}, ${squareName(on, id)}`,
      marked: on.roles.get(id) === "fortress",
      seats: [0, 1],
    }));
  },
  read: (view) => ({
    pieces: Object.fromEntries(view.squares.flatMap((squares, seat) => squares.map((square) => [square, seat]))),
    home: [0, 0],
    turn: view.mover ?? 0,
  }),
  write: (view, placing) => `${side(view, placing, 0)} ${side(view, placing, 1)} ${SIDES[placing.turn]} throw`,
};
