// Ratings as people read them, and those of the players of one match.
import type { MatchRating, SeatRating, Skill } from "../generated/wire";
import { api } from "./api";
import { number, spoken, t, tn } from "./texts.svelte";

const SURE = 2; // deviations either side: 95 of 100 true values lie within
export const LEAST_GAMES = 10; // below, a rating is provisional

interface Estimate {
  rating: number | null;
  deviation: number | null;
  provisional?: boolean;
}

/** A rating without its uncertainty. */
export function points(rating: number): string {
  return String(Math.round(rating));
}

/** How far a rating may be off, either side. */
export function margin(deviation: number): number {
  return Math.round(SURE * deviation);
}

/** A rating with its uncertainty, short; that of a bot is certain. A question mark: it is provisional. */
export function ratingText({ rating, deviation, provisional = false }: Estimate): string {
  if (rating === null) return "";
  const mark = provisional ? "?" : "";
  return deviation ? `${points(rating)}${mark} ± ${margin(deviation)}` : points(rating);
}

/** The same in a sentence. */
export function ratingWords({ rating, deviation, provisional = false }: Estimate): string {
  if (rating === null) return "";
  if (!deviation) return t("Rating {rating}, fixed", { rating: points(rating) });
  const holes = { rating: points(rating), margin: margin(deviation) };
  return provisional ? t("Rating {rating}, give or take {margin}, provisional", holes) : t("Rating {rating}, give or take {margin}", holes);
}

/** What a match changed: +12, −7, ±0. */
export function changeText(change: number): string {
  const whole = Math.round(change);
  return whole === 0 ? "±0" : whole > 0 ? `+${whole}` : `−${-whole}`;
}

/** A loss a decision, as a share of a win. */
export function lossText({ loss }: Skill): string {
  return new Intl.NumberFormat(spoken(), { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(loss);
}

/** How far it may be off, either side; nothing after a single decision. */
export function lossMargin({ margin }: Skill): string {
  const plain = new Intl.NumberFormat(spoken(), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return margin === null ? "" : `± ${plain.format(100 * margin)}`;
}

/** How much a skill is based on. */
export function skillWords({ decisions, matches }: Skill): string {
  return tn(matches, "{decisions} decisions in {n} match", "{decisions} decisions in {n} matches", { decisions: number(decisions) });
}

/** Where the players of a rated match stand, and after its end what it changed. */
export class Stakes {
  known: MatchRating | null = $state.raw(null);

  constructor(private readonly id: string) {}

  async load(): Promise<void> {
    this.known = await api.matchRating(this.id).catch(() => this.known); // the match goes on without
  }

  /** The rating of a seat, where there is one. */
  of(seat: number): SeatRating | null {
    const found = this.known?.seats[seat];
    return found && found.rating !== null ? found : null;
  }
}
