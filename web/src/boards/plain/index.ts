// For a game without a board of its own here (one from another package): words, and the list of actions of the table.
import type { BoardModule } from "../board";
import Board from "./Board.svelte";

export default {
  Board,
  grid: () => ({ columns: [], rows: [] }),
  standing: () => "",
  sound: () => "move",
  lasts: () => 600,
} satisfies BoardModule;
