// What was asked last and how it was answered. The match goes on at once, but people want to read the note.
import type { Answered, Face } from "../../generated/egar";
import type { All } from "../../generated/egar";

export interface Told {
  answered: Answered;
  face: Face | null; // null if the question itself was not seen here
}

export class Memory {
  told: Told | null = $state.raw(null);
  private face: Face | null = null;
  private heard: All["event"] | null = null;

  /** A new view and what led to it. */
  show(view: All["view"], event: All["event"] | null): void {
    if (event === null) this.told = null;
    if (event?.type === "answered" && event !== this.heard) this.told = { answered: event, face: fits(event, this.face) };
    this.heard = event;
    const open = view.question?.face ?? null;
    if (view.phase === "answer") this.told = null;
    if (view.phase === "answer" || open) this.face = open;
    if (this.told && this.told.face === null && view.phase === "pick" && open) this.told = { ...this.told, face: fits(this.told.answered, open) };
    if (view.phase === "card") this.face = null;
  }

  close(): void {
    this.told = null;
  }
}

/** The face, if this answer can belong to it. */
function fits(answered: Answered, face: Face | null): Face | null {
  if (!face || answered.letter === null || !answered.answer) return face;
  return face.options[answered.letter]?.en === answered.answer.en ? face : null;
}
