// What a rules page writes for the command line, in the words of the form.
import { exhibit } from "../boards/exhibits";
import type { GameInfo } from "../generated/wire";
import { t } from "./texts.svelte";
import { optionName, presetName, valueName } from "./words";

const FLAG = /^--([a-z-]+)$/;

/** Flags, presets and values of options as the form calls them; null where a piece of code is none of these. `option`: the
 * sentence says that it is the name of one. */
export function plainWords(game: GameInfo, code: string, option = false): string | null {
  const named = option && game.options.find((one) => one.name === code.replaceAll("-", "_"));
  if (named) return optionName(game.id, named);
  if (code.startsWith("--")) return flags(game, code.split(/\s+/));
  if (code in exhibit(game.id).presets) return presetName(game.id, code);
  const field = game.options.find((one) => one.words.map(String).includes(code));
  if (code === "on" || code === "off") return code === "on" ? t("yes") : t("no");
  const words = field ? valueName(game.id, field.name, code) : code;
  return words === code ? null : words;
}

/** `--preset blitz --pieces 7` as "Blitz, Pieces of each player: 7". */
function flags(game: GameInfo, parts: readonly string[]): string | null {
  const said: string[] = [];
  for (let n = 0; n < parts.length; n += 1) {
    const name = FLAG.exec(parts[n] ?? "")?.[1]?.replaceAll("-", "_");
    if (name === undefined) return null;
    const value = parts[n + 1]?.startsWith("--") ? undefined : parts[n + 1];
    if (value !== undefined) n += 1;
    const field = game.options.find((one) => one.name === name);
    if (name === "preset") said.push(value === undefined ? t("Ready-made rules") : presetName(game.id, value));
    else if (!field) return null;
    else if (value === undefined) said.push(optionName(game.id, field));
    else said.push(`${optionName(game.id, field)}: ${value === "on" ? t("yes") : value === "off" ? t("no") : valueName(game.id, name, value)}`);
  }
  return said.join(", ");
}
