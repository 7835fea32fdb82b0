// The outline under each army's figure and on its flag; alone it tells the armies apart.
import type { Army } from "./field";

export const PLATES: Record<Army, string> = {
  military: "M0 -18L15 -9V15H-15V-9Z",
  samurai: "M0 -20L19 0L0 20L-19 0Z",
  native: "M0 -17A17 17 0 1 1 -.01 -17Z",
  egyptian: "M-15.5 -15.5H15.5V15.5H-15.5Z",
};
