import type { BoardModule } from "../board";
import type { All } from "../../generated/nile";
import Board from "./Board.svelte";
import { dwells, grid, lasts, sound, standing } from "./words";

export default { Board, grid, standing, sound, lasts, dwells } satisfies BoardModule<All>;
