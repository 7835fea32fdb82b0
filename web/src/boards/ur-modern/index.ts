import type { BoardModule } from "../board";
import type { All } from "../../generated/ur-modern";
import Board from "./Board.svelte";
import Mark from "../ur/Mark.svelte";
import { editing } from "./editing";
import { dice, grid, lasts, odds, sound, standing } from "./words";

export default { Board, Mark, grid, standing, sound, lasts, dice, odds, editing } satisfies BoardModule<All>;
