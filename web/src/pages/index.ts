// Every page but the hall is loaded when it is first shown. Its name is the first part of its address.
import type { Component } from "svelte";

export type Page = Component<{ id: string; hash: string }> | Component;

export const PAGES: Record<string, () => Promise<{ default: Page }>> = {
  game: () => import("./Game.svelte"),
  table: () => import("./Table.svelte"),
  join: () => import("./Join.svelte"),
  seat: () => import("./Enter.svelte"),
  replay: () => import("./Replay.svelte"),
  rules: () => import("./Rules.svelte"),
  learn: () => import("./Learn.svelte"),
  puzzles: () => import("./Puzzles.svelte"),
  explore: () => import("./Explore.svelte"),
  continue: () => import("./Continue.svelte"),
  tournaments: () => import("./Tournaments.svelte"),
  tournament: () => import("./Tournament.svelte"),
  wall: () => import("./Wall.svelte"),
  host: () => import("./Host.svelte"),
  settings: () => import("./Settings.svelte"),
  key: () => import("./Key.svelte"),
  mine: () => import("./Mine.svelte"),
  mail: () => import("./Mail.svelte"),
  ratings: () => import("./Ratings.svelte"),
  player: () => import("./Player.svelte"),
  help: () => import("./Help.svelte"),
  about: () => import("./About.svelte"),
  nothing: () => import("./Nothing.svelte"),
};

/** Pages about one game, match, tournament or player: without its id in the address there is nothing to show. */
export const OF_ONE = new Set(["game", "table", "join", "seat", "replay", "rules", "learn", "explore", "continue", "tournament", "wall", "player"]);
