// For a game without a board of its own here (one from another package).
import type { BoardModule } from "../board";
import Board from "./Board.svelte";

export default {
  Board,
  grid: () => ({ columns: [], rows: [] }),
  standing: () => "",
  sound: (event) => ("seat" in event && event.seat === -1 ? "throw" : "move"), // -1: chance
  lasts: () => 700,
} satisfies BoardModule;
