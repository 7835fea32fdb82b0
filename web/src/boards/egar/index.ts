import type { BoardModule } from "../board";
import type { All } from "../../generated/egar";
import Board from "./Board.svelte";
import { dwells, grid, lasts, sound, soundAfter, standing, tells } from "./words";

export default { Board, grid, standing, sound, soundAfter, lasts, dwells, tells, covers: (view) => view.phase === "answer" } satisfies BoardModule<All>;
