// What the values of options and the names of presets mean, for people.
import { later, noted } from "./texts.svelte";

const VALUES: Record<string, string> = {
  lots: noted("by lot"),
  "path.bell": noted("the usual way"),
  "path.masters": noted("the longer way of the masters"),
  "path.aseb": noted("the Egyptian board of twenty squares"),
  "dice.four": noted("four dice"),
  "dice.three": noted("three dice"),
  "layout.royal": noted("Royal: Earth is the large block"),
  "layout.lesser-earth": noted("Lesser Earth: Earth is the small block"),
  "layout.lanes": noted("Lanes: pieces keep to the lanes"),
  "board.nile": noted("the large board"),
  "board.small": noted("the small board"),
  "board.standard": noted("13 by 13 squares"),
  "board.quick": noted("11 by 11 squares"),
  "tiles.nile": noted("the 104 tiles"),
  "encircle.universal": noted("holders of a universal"),
  "encircle.free": noted("anyone"),
  "blue_finish.anyone": noted("anyone"),
  "blue_finish.same_turn": noted("only the same turn"),
  "level.easy": noted("easy"),
  "level.medium": noted("medium"),
  "level.hard": noted("hard"),
  "level.free": noted("the asker picks"),
  "dead_flags.stay": noted("stays"),
  "dead_flags.removed": noted("is removed"),
  "answering.choice": noted("picked from four"),
  "answering.open": noted("typed"),
  "deck.default": noted("the cards of the house"),
  "skill.own": noted("answers itself"),
  "colours.military": noted("Military"),
  "colours.samurai": noted("Samurai"),
  "colours.native": noted("Native Americans"),
  "colours.egyptian": noted("Egyptians"),
};

const PRESETS: Record<string, [string, string]> = {
  "ur.finkel": [noted("British Museum"), noted("The rules that Irving Finkel read from a clay tablet. Start here.")],
  "ur.blitz": [noted("Blitz"), noted("Five pieces, captures throw again: short and sharp.")],
  "ur.masters": [noted("Masters"), noted("The longer way, three dice, and no safe rosettes.")],
  "ur.aseb": [noted("Aseb"), noted("The game as it came to Egypt, on a board of twenty squares.")],
  "ur-modern.royal": [noted("Royal"), noted("The game as printed. Start here.")],
  "ur-modern.lesser-earth": [noted("Lesser Earth"), noted("Earth is the small block, so the way is steep.")],
  "ur-modern.lanes": [noted("Lanes"), noted("Pieces keep to the lanes of the classic game, but walk them both ways.")],
  "nile.nile": [noted("The whole river"), noted("The large board, about an hour.")],
  "nile.quick": [noted("A short river"), noted("Half as wide and half as far. Start here if you are new.")],
  "egar.standard": [noted("Standard"), noted("The large field. Start here.")],
  "egar.quick": [noted("Quick"), noted("A smaller field, on which the armies meet at once.")],
};

export function valueName(option: string, value: unknown): string {
  const word = String(value);
  const known = VALUES[`${option}.${word}`] ?? VALUES[word];
  return known === undefined ? word : later(known);
}

// Options whose own explanation is made for the command line.
const OPTIONS: Record<string, string> = {
  begins: noted("Who begins"),
  level: noted("How hard the questions are"),
  skill: noted("Say for each seat how it answers: itself, or how often right by chance (easy, medium, hard)"),
};

export function optionName(option: { name: string; label: string }): string {
  const known = OPTIONS[option.name];
  return known === undefined ? option.label : later(known);
}

export function presetName(game: string, preset: string): string {
  const known = PRESETS[`${game}.${preset}`];
  return known ? later(known[0]) : preset;
}

export function presetText(game: string, preset: string): string {
  const known = PRESETS[`${game}.${preset}`];
  return known ? later(known[1]) : "";
}

const CLOCKS: Record<string, string> = {
  none: noted("No clock"),
  "30s/move": noted("30 seconds a move"),
  "5m+3s": noted("5 minutes each, and 3 seconds a move"),
  "15m+10s": noted("15 minutes each, and 10 seconds a move"),
  "3d/move": noted("3 days a move"),
};

export function clocks(): [string, string][] {
  return Object.entries(CLOCKS).map(([clock, words]) => [clock, later(words)]);
}
