// What the values of options and the names of presets mean, for people.
import { exhibit } from "../boards/exhibits";
import type { GameInfo } from "../generated/wire";
import { headed, later, noted, t } from "./texts.svelte";

const VALUES: Record<string, string> = { "begins.lots": noted("by lot") };
const OPTIONS: Record<string, string> = { begins: noted("Who begins") };

export function valueName(game: string, option: string, value: unknown): string {
  const word = String(value);
  const known = exhibit(game).values[`${option}.${word}`] ?? VALUES[`${option}.${word}`];
  return known === undefined ? word : later(known);
}

export function optionName(game: string, option: { name: string; label: string }): string {
  const known = exhibit(game).options[option.name] ?? OPTIONS[option.name];
  return known === undefined ? option.label : later(known);
}

/** One plain sentence about an option; empty where its name says all. */
export function optionText(game: string, option: { name: string }): string {
  const known = exhibit(game).about[option.name];
  return known === undefined ? "" : later(known);
}

export function presetName(game: string, preset: string): string {
  const known = exhibit(game).presets[preset];
  return known ? later(known[0]) : headed(preset);
}

export function presetText(game: string, preset: string): string {
  const known = exhibit(game).presets[preset];
  return known ? later(known[1]) : "";
}

const CLOCKS: Record<string, string> = {
  none: noted("No clock"),
  "30s/move": noted("30 seconds a move"),
  "5m+3s": noted("5 minutes + 3 seconds a move"),
  "15m+10s": noted("15 minutes + 10 seconds a move"),
  "1d/move": noted("1 day a move"),
  "3d/move": noted("3 days a move"),
  "7d/move": noted("7 days a move"),
};

/** What a clock is called; one that the form does not offer as it is written, and none at all not at all. */
export function clockName(clock: string): string {
  if (clock === "none") return "";
  const known = CLOCKS[clock];
  return known === undefined ? clock : later(known);
}

/** The preset that these options are, or that they are rules of the house. */
export function rulesName(game: GameInfo, options: Record<string, unknown>): string {
  const same = (preset: Record<string, unknown>): boolean =>
    Object.entries(preset).every(([name, value]) => name === "begins" || JSON.stringify(options[name]) === JSON.stringify(value));
  const found = Object.entries(game.presets).find(([, preset]) => same(preset as Record<string, unknown>));
  return found ? presetName(game.id, found[0]) : t("House rules");
}

/** The clocks to choose from; days are for people far from each other. */
export function clocks(far: boolean): [string, string][] {
  return Object.entries(CLOCKS).flatMap(([clock, words]) => (far || !clock.endsWith("d/move") ? [[clock, later(words)]] : []));
}
