// Which boards there are: one folder a game, each loaded when it is first needed.
import type { BoardModule } from "./board";

const LOADERS = import.meta.glob<{ default: unknown }>("./*/index.ts");

/** The board of a game; of a game without one, the list of what can be done. */
export async function loadBoard(game: string): Promise<BoardModule> {
  const load = LOADERS[`./${game}/index.ts`] ?? LOADERS["./plain/index.ts"]!;
  return (await load()).default as BoardModule;
}
