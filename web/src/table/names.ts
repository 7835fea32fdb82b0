// What players are called on the page.
import type { Place } from "../generated/wire";
import { games } from "../lib/games.svelte";
import { t } from "../lib/texts.svelte";

export function playerName(place: Place, game: string): string {
  if (place.player === "open") return t("free seat");
  if (place.player.startsWith("bot:")) {
    const level = place.player.slice(4);
    const known = games.find(game);
    const bot = [...(known?.bots ?? []), known?.perfect].find((one) => one?.id === level);
    const name = bot ? t("{name}, {level} bot", { name: bot.name, level: bot.level }) : t("bot ({level})", { level });
    const called = bot ? t("{name} ({level})", { name: bot.name, level: bot.level }) : level; // as the server calls it
    return place.name && place.name !== called ? t("{bot} for {name}", { bot: name, name: place.name }) : name;
  }
  return place.name || t("guest");
}
