// What a board is to the rest of the client. web/README.md says how to write one.
import type { Component } from "svelte";
import type { Way } from "./parts/picker.svelte";

/** The four types of a game, as tools/web.py writes them from the rules. */
export interface Game {
  view: object;
  action: { type: string };
  event: { type: string };
  options: object;
}

/** Something the seat may do: the notation to send, and what it means, in the player's language. */
export interface Choice {
  text: string;
  label: string;
}

/** Who sits where. `title` is what the game calls the seat (Light, Samurai), `name` is the player's own. */
export interface Seat {
  seat: number;
  title: string;
  player: string;
  name: string;
}

/** An action drawn on the board of a review: what was played there, or what would have been better. */
export interface Mark<G extends Game = Game> {
  action: G["action"];
  kind: "played" | "better";
}

export interface BoardProps<G extends Game = Game> {
  /** What the viewer may know now. Always draw this, whatever the event says. */
  view: G["view"];
  /** What led to this view, to be marked and, if `animate`, shown; null at the start and after a jump. */
  event: G["event"] | null;
  /** False with reduced motion, on the first picture, and where a replay jumps. */
  animate: boolean;
  /** What the viewer may do, in the order of `view.legal`; empty where the board is only looked at. */
  choices: readonly Choice[];
  /** The seat that sits at the lower edge. */
  bottom: number;
  seats: readonly Seat[];
  /** The notation of the action that was advised, to be marked. */
  hint: string | null;
  /** The notations of actions that a hint took away: surely wrong, where something has to be known. */
  away?: readonly string[];
  /** Actions of `view.legal` to be drawn, in a review; what has no place on the board is left to words. */
  marks?: readonly Mark<G>[];
  /** The page itself lists the players and how they stand (`Mark`, `standing`), so the board need not. */
  listed?: boolean;
  /** The names of squares stand at the edge of the board. */
  coordinates?: boolean;
  /** The way round the board is drawn on it. */
  way?: boolean;
  /** Does one of the choices (or, where the game takes free text, any text). */
  play: (text: string) => void;
  /** Where the server draws and tells this very view, for a board that draws nothing itself; null in a lesson. */
  drawn: { picture: string; words: string } | null;
  /** What the view would be after these actions of one's own; rejects where nothing can be foreseen. */
  preview: (texts: readonly string[]) => Promise<G["view"]>;
}

/** The board in words, as a table that a screen reader can walk. */
export interface Grid {
  columns: readonly string[];
  rows: readonly { name: string; cells: readonly string[] }[];
}

export type Sound = "throw" | "move" | "take" | "bonus" | "question" | "right" | "wrong" | "win" | "lose" | "turn" | "pass";

/** A square as the explorer sets pieces on it. Rows count from the far edge, columns from the left. */
export interface EditSquare {
  id: string;
  row: number;
  column: number;
  /** What it is, for screen readers: its name, and whether it is special. */
  label: string;
  marked: boolean;
  /** The seats whose pieces may stand there. */
  seats: readonly number[];
}

/** Who stands where, as the explorer sets it up. */
export interface Placing {
  pieces: Readonly<Record<string, number>>; // square to seat
  home: readonly [number, number];
  turn: number;
}

/** For the explorer: how a position is taken apart and written down. */
export interface Editing<G extends Game = Game> {
  Piece: Component<{ seat: number }>;
  squares: (view: G["view"]) => readonly EditSquare[];
  /** How many pieces a side has, and whether they can be brought home. */
  pieces: (view: G["view"]) => number;
  bearsOff: boolean;
  read: (view: G["view"]) => Placing;
  /** The notation, with the dice still to be thrown. */
  write: (view: G["view"], placing: Placing) => string;
}

export interface BoardModule<G extends Game = Game> {
  /** The board with everything of the game around it: pools, dice, racks, cards. */
  Board: Component<BoardProps<G>>;
  grid: (view: G["view"], seats: readonly Seat[]) => Grid;
  /** A few words about how a seat stands, for its name plate; empty if there is nothing to say. */
  standing: (view: G["view"], seat: number) => string;
  sound: (event: G["event"]) => Sound | null;
  /** What is heard when its movement has ended: what came of the dice. */
  soundAfter?: (event: G["event"]) => Sound | null;
  /** Whether the seat to act is to be alone with this: at one device it is handed over first. Games with secrets always are. */
  covers?: (view: G["view"]) => boolean;
  /** How long an event stays before the next is shown, in milliseconds. */
  lasts: (event: G["event"]) => number;
  /** Whether the board itself says in words what happened, as a card does with its question. */
  tells?: (event: G["event"]) => boolean;
  /** The seat that threw the dice in this event and what they showed, if that is what it was. */
  dice?: (event: G["event"], view: G["view"]) => Throw | null;
  /** What the dice can show, in words, and how often in the long run, in whole weights. */
  odds?: (view: G["view"]) => readonly Odds[];
  /** A small picture of a seat for its name plate. */
  Mark?: Component<{ seat: number; view: G["view"] }>;
  /** Whether it stays as long as that also where the match waits for whoever looks; else their turn begins at once. */
  dwells?: (event: G["event"]) => boolean;
  /** How positions are set up by hand, for a game that can be explored. */
  editing?: Editing<G>;
}

/** Dice that a seat has thrown. */
export interface Throw {
  seat: number;
  value: string;
}

export interface Odds {
  value: string;
  label: string;
  weight: number;
}

export type { Way };
