// The review of a finished match: asked for until it is there, and what the pages need to know of its plies.
import type { Review, Step, Told } from "../generated/wire";
import { api } from "./api";
import { sentence } from "./texts.svelte";

export const SLIP = 0.005; // losses from here on have a name; docs/review.md
export const MISTAKE = 0.02;
export const BLUNDER = 0.05;
const CHANCE = -1;
const FIRST = 250; // milliseconds until the server is asked again
const LATER = 800;
const LUCKY = 0.03; // throws that gave a seat at least this much are marked in the graph,
const MOST_LUCKY = 12; // but no more than so many
const MOST_COSTLY = 8;

/** What a decision cost its seat; 0 for a throw. */
export function loss(step: Step): number {
  return step.seat === CHANCE ? 0 : Math.max(0, (step.before[step.seat] ?? 0) - (step.after[step.seat] ?? 0));
}

/** Whom a throw was good for, and by how much. */
export function lucky(step: Step): { seat: number; by: number } {
  const gains = step.after.map((after, seat) => (step.seat === CHANCE ? after - (step.before[seat] ?? 0) : 0));
  const by = Math.max(...gains);
  return { seat: gains.indexOf(by), by };
}

export interface GraphMark {
  ply: number;
  seat: number;
  kind: "luck" | "mistake" | "blunder";
}

/** What a graph marks: every mistake, and the luckiest throws. */
export function graphMarks(review: Review): GraphMark[] {
  const mistakes = review.steps
    .filter((step) => loss(step) >= MISTAKE)
    .map((step) => ({ ply: step.ply, seat: step.seat, kind: loss(step) >= BLUNDER ? ("blunder" as const) : ("mistake" as const) }));
  const luck = review.steps
    .map((step) => ({ ply: step.ply, ...lucky(step) }))
    .filter(({ by }) => by >= LUCKY)
    .sort((one, other) => other.by - one.by)
    .slice(0, MOST_LUCKY)
    .map(({ ply, seat }) => ({ ply, seat, kind: "luck" as const }));
  return [...luck, ...mistakes];
}

/** The decisions that cost most, the worst first. */
export function costliest(review: Review): Step[] {
  return review.steps
    .filter((step) => loss(step) >= SLIP)
    .sort((one, other) => loss(other) - loss(one))
    .slice(0, MOST_COSTLY);
}

export class ReviewPage {
  share = $state(0);
  review: Review | null = $state.raw(null);
  told: Told | null = $state.raw(null);
  trouble = $state(""); // why there is none, as a sentence
  never = $state(false); // it is no use to ask again
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {}

  /** Asks until it is there; again after a change of language. */
  ask(wait = FIRST): void {
    clearTimeout(this.timer);
    this.trouble = "";
    api.review(this.id).then(
      ({ share, review, told, reason }) => {
        if (this.closed) return;
        [this.share, this.never] = [share, reason !== ""];
        if (reason) return void (this.trouble = sentence(reason));
        if (review && told) [this.review, this.told] = [review, told];
        else this.timer = setTimeout(() => this.ask(LATER), wait);
      },
      (error: Error) => (this.trouble = error.message),
    );
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
