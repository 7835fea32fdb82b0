import type { BoardModule } from "../board";
import type { All } from "../../generated/ur-modern";
import Board from "./Board.svelte";
import { grid, lasts, sound, standing } from "./words";

export default { Board, grid, standing, sound, lasts } satisfies BoardModule<All>;
