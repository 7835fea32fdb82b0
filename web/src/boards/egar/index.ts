import type { BoardModule } from "../board";
import type { All } from "../../generated/egar";
import Board from "./Board.svelte";
import { dwells, grid, lasts, sound, soundAfter, standing } from "./words";

export default { Board, grid, standing, sound, soundAfter, lasts, dwells, covers: (view) => view.phase === "answer" } satisfies BoardModule<All>;
