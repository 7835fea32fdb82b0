// What players are called on the page.
import type { Place } from "../generated/wire";

/** As much of a place as it takes to name whoever sits there. */
export type Seated = Pick<Place, "seat" | "player" | "name">;

import { games } from "../lib/games.svelte";
import { t } from "../lib/texts.svelte";

const NUMERALS = ["", " II", " III", " IV", " V", " VI", " VII", " VIII"];

/** What a player is called; of several bots of one level at the table (`seats`) each has a number. */
export function playerName(place: Seated, game: string, seats: readonly Seated[] = []): string {
  if (place.player === "open") return t("free seat");
  if (place.player.startsWith("bot:")) {
    const level = place.player.slice(4);
    const known = games.find(game);
    const bot = [...(known?.bots ?? []), known?.perfect].find((one) => one?.id === level);
    const alike = seats.filter((other) => other.player === place.player && other.seat < place.seat).length;
    const name = bot ? t("{name}, {level} bot", { name: bot.name + (NUMERALS[alike] ?? ""), level: bot.level }) : t("bot ({level})", { level: level + (NUMERALS[alike] ?? "") });
    const called = bot ? t("{name} ({level})", { name: bot.name, level: bot.level }) : level; // as the server calls it
    return place.name && place.name !== called ? t("{bot} for {name}", { bot: name, name: place.name }) : name;
  }
  return place.name || t("guest");
}
