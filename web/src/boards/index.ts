// Which boards there are. Each is loaded when it is first needed.
import type { BoardModule } from "./board";

const LOADERS: Record<string, () => Promise<{ default: unknown }>> = {
  ur: () => import("./ur"),
  nile: () => import("./nile"),
};

/** The board of a game; of a game without one, the server's picture and a list of what can be done. */
export async function loadBoard(game: string): Promise<BoardModule> {
  const found = await (LOADERS[game] ?? (() => import("./plain")))();
  return found.default as BoardModule;
}
