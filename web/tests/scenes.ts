// The fixtures as tests of a board read them.
import type { BoardProps, Choice, Game, Seat } from "../src/boards/board";

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

/** What a board is given to show a scene, where nothing moves and no server answers. */
export function props<G extends Game>(scene: Scene<G>, more: Partial<BoardProps<G>> = {}): BoardProps<G> {
  return {
    view: scene.view,
    event: scene.event,
    animate: false,
    choices: scene.actions,
    bottom: scene.you ?? 0,
    seats: scene.seats,
    hint: null,
    play: () => {},
    drawn: null,
    preview: () => Promise.reject(new Error("no server")),
    ...more,
  };
}
