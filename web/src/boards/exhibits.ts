// What the hall shows of a game before its board is loaded: `exhibit.ts` in the board's folder, found by the game's id.
import type { Component } from "svelte";
import plain from "./plain/exhibit";

export interface Exhibit {
  /** Fills its frame; drawn 480 wide and 270 high. */
  Picture: Component;
  /** Where it stands in the hall: the lowest first. Games that others bring stand last. */
  place: number;
  /** Each preset: its title, and a line about it. */
  presets: Record<string, readonly [string, string]>;
  /** What the values of options mean: `path.bell`. */
  values: Record<string, string>;
  /** Options whose own explanation is made for the command line: what the form calls them. */
  options: Record<string, string>;
  /** A plain sentence about an option that does not say all by its name. */
  about: Record<string, string>;
  /** The preset for somebody's first game, where that is not the usual one. */
  first?: string;
  /** The option that says how hard the game is besides the bots: it stands beside them. */
  hard?: string;
  /** The option that holds the questions of a game that asks some: a class plays with the teacher's own. */
  asks?: string;
}

const FOUND = import.meta.glob<Exhibit>("./*/exhibit.ts", { eager: true, import: "default" });

export function exhibit(game: string): Exhibit {
  return FOUND[`./${game}/exhibit.ts`] ?? plain;
}
