// What players are called on the page.
import type { BotInfo, Place } from "../generated/wire";
import { games } from "../lib/games.svelte";
import { t } from "../lib/texts.svelte";

/** As much of a place as it takes to name whoever sits there. */
export type Seated = Pick<Place, "seat" | "player" | "name"> & Partial<Pick<Place, "face">>;

const NUMERALS = ["", " II", " III", " IV", " V", " VI", " VII", " VIII"];

/** The people of a level, one after the other: those it names, and then the first ones again with a number. */
function person(bot: BotInfo, n: number): string {
  const people = [bot.name, ...bot.others];
  return people[n % people.length] + (NUMERALS[Math.floor(n / people.length)] ?? "");
}

/** The bot that a level of this game is, where the server says so. */
function botOf(player: string, game: string): BotInfo | null {
  const known = games.find(game);
  return [...(known?.bots ?? []), known?.perfect].find((one) => `bot:${one?.id}` === player) ?? null;
}

/** The own name of a player, without the level; of several bots of one level (`seats`) each is somebody else. */
export function shortName(place: Seated, game: string, seats: readonly Seated[] = []): string {
  if (place.player === "open") return t("free seat");
  if (!place.player.startsWith("bot:")) return place.name || t("guest");
  const alike = seats.filter((other) => other.player === place.player && other.seat < place.seat).length;
  const bot = botOf(place.player, game);
  return bot ? person(bot, alike) : place.player.slice(4) + (NUMERALS[alike] ?? "");
}

/** What a player is called. */
export function playerName(place: Seated, game: string, seats: readonly Seated[] = []): string {
  if (!place.player.startsWith("bot:")) return shortName(place, game, seats);
  const bot = botOf(place.player, game);
  const own = shortName(place, game, seats);
  const name = bot ? t("{name}, {level} bot", { name: own, level: bot.level }) : t("bot ({level})", { level: own });
  const plain = bot ? place.name.startsWith(`${bot.name} (`) : place.name === place.player.slice(4); // as the server calls it, in whatever language
  return place.name && !plain ? t("{bot} for {name}", { bot: name, name: place.name }) : name;
}

/** What the game of a match is called. */
export function titleOf(known: { game: string }): string {
  return games.find(known.game)?.title ?? known.game;
}

/** Who plays, as one line: own names, or where a person has none that of the seat. */
export function namesOf(known: { game: string; names?: readonly string[]; players?: readonly Seated[] }): string {
  const { players } = known;
  if (!players) return (known.names ?? []).join(" – ");
  const titles = games.find(known.game)?.seats ?? [];
  return players.map((place) => (place.player === "human" ? place.name || (titles[place.seat] ?? "") : playerName(place, known.game, players))).join(" – ");
}

/** Whom somebody plays against, as one line without levels; who plays at all, where nobody else sits there. */
export function againstOf(known: { game: string; seats: readonly number[]; names?: readonly string[]; players?: readonly Seated[] }): string {
  const others = (known.players ?? []).filter((place) => place.player !== "open" && !known.seats.includes(place.seat));
  const titles = games.find(known.game)?.seats ?? [];
  const names = others.map((place) => (place.player === "human" ? place.name || (titles[place.seat] ?? "") : shortName(place, known.game, known.players)));
  return names.length && known.seats.length ? t("Against {names}", { names: names.join(", ") }) : namesOf(known);
}
