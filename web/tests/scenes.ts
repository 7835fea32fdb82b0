// The fixtures as tests of a board read them.
import type { Choice, Game, Seat } from "../src/boards/board";

export interface Scene<G extends Game> {
  name: string;
  you: number | null;
  seats: Seat[];
  view: G["view"];
  actions: Choice[];
  event: G["event"] | null;
  text: string;
}

export function scenes<G extends Game>(fixture: { scenes: object }): Scene<G>[] {
  return Object.entries(fixture.scenes).map(([name, scene]) => ({ name, ...(scene as Omit<Scene<G>, "name">) }));
}
