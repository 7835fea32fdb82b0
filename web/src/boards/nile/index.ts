import type { BoardModule } from "../board";
import type { All } from "../../generated/nile";
import Board from "./Board.svelte";
import Mark from "./Mark.svelte";
import { dwells, grid, lasts, sound, standing } from "./words";

export default { Board, Mark, grid, standing, sound, lasts, dwells } satisfies BoardModule<All>;
