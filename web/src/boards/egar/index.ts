import type { BoardModule } from "../board";
import type { All } from "../../generated/egar";
import Board from "./Board.svelte";
import Mark from "./Mark.svelte";
import { dice, dieOdds, dwells, grid, lasts, sound, soundAfter, standing, tells } from "./words";

export default { Board, Mark, grid, standing, sound, soundAfter, lasts, dice, odds: dieOdds, dwells, tells, covers: (view) => view.phase === "answer" } satisfies BoardModule<All>;
