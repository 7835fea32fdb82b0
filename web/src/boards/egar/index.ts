import type { BoardModule } from "../board";
import type { All } from "../../generated/egar";
import Board from "./Board.svelte";
import { grid, lasts, sound, standing } from "./words";

export default { Board, grid, standing, sound, lasts, covers: (view) => view.phase === "answer" } satisfies BoardModule<All>;
