// A turn while it is only planned: tiles that its player would lay, not yet sent, and what they would score.
import { Picker } from "../parts/picker.svelte";
import { KINDS, ground, head, laidBy, written, type Head, type Kind, type Laid, type Lay, type ScoreLine, type View } from "./ground";

/** One act of the plan, the slots of the rack that its tiles come from, and all ways in which its tile could lie. */
export interface Step {
  lay: Lay;
  slots: readonly number[];
  ways: readonly Lay[];
}

type Preview = (texts: readonly string[]) => Promise<View>;

const UPWARD = [0, 1, 7, 2, 6, 3, 5, 4]; // which of several exits is tried first: towards the goal

export class Plan {
  view: View | null = $state.raw(null);
  steps: readonly Step[] = $state.raw([]);
  /** The rack as its owner arranged it; null is a gap. */
  slots: readonly (Kind | null)[] = $state.raw([]);
  /** What the table would look like; null while that is asked for, and where it cannot be foreseen. */
  ahead: View | null = $state.raw(null);
  blind = $state(false); // it cannot be foreseen
  open = $state(false); // the viewer may act
  /** What is still to be sent of a plan that was decided on. */
  queue: readonly string[] = $state.raw([]);

  private key: string = $state(""); // of the position
  private sentAt: string = $state(""); // the position in which something was sent last

  /** The plan is on its way, and what was sent last has not come back yet. */
  readonly running: boolean = $derived(this.queue.length > 0 || (this.sentAt !== "" && this.sentAt === this.key));
  readonly on = $derived(this.view ? ground(this.view.options.board) : null);
  readonly planned: readonly Laid[] = $derived.by(() => {
    if (!this.view || !this.on) return [];
    const made: Laid[] = [];
    for (const { lay } of this.steps) made.push(...laidBy(this.on, [...this.view.river, ...made], lay));
    return made;
  });
  readonly head: Head | null = $derived(this.view && this.on ? head(this.on, [...this.view.river, ...this.planned]) : null);
  readonly legal: readonly View["legal"][number][] = $derived(
    !this.open || this.running ? [] : this.steps.length ? (this.ahead?.turn === this.view?.seat ? (this.ahead?.legal ?? []) : []) : (this.view?.legal ?? []),
  );
  readonly used: ReadonlySet<number> = $derived(new Set(this.steps.flatMap((step) => step.slots)));
  /** What the turn would score, and what the tiles that then stay on the rack would cost at once. */
  readonly lines: readonly ScoreLine[] = $derived.by(() => {
    if (!this.steps.length) return this.view?.pending ? [this.view.pending] : [];
    if (!this.ahead || !this.view) return [];
    const own = this.ahead.sheet.slice(this.view.sheet.length).filter((line) => line.seat === this.view?.seat);
    return this.ahead.pending ? [this.ahead.pending] : own;
  });
  readonly canStop = $derived(this.steps.length > 0 && this.legal.some((action) => action.type === "stop"));
  readonly ends = $derived(this.steps.length > 0 && this.ahead?.phase === "over");

  private sent = "";
  private asked = 0;

  /** The table as it is now. A plan for another position is no plan. */
  show(view: View, open: boolean): void {
    const key = JSON.stringify([view.seat, view.turn, view.phase, view.river.length, view.laid, view.rack, view.sheet.length]);
    const moved = key !== this.key;
    const first = this.steps[0];
    const done = first && this.running && written(first.lay) === this.sent && view.river.length > (this.view?.river.length ?? 0);
    this.view = view;
    this.open = open;
    this.key = key;
    if (!moved) return;
    if (done) {
      this.steps = this.steps.slice(1);
      this.slots = this.slots.map((kind, n) => (first.slots.includes(n) ? null : kind));
    } else this.clear();
    this.slots = filled(this.slots, view.rack);
  }

  /** What is next to be sent, once the server has come as far as that; anything else ends the plan. */
  next(texts: readonly string[]): string | null {
    const [text, ...rest] = this.queue;
    if (text === undefined || !texts.length || this.key === this.sentAt) return null;
    if (!texts.includes(text)) {
      this.clear();
      return null;
    }
    this.queue = rest;
    this.sent = text;
    this.sentAt = this.key;
    return text;
  }

  clear(): void {
    this.asked++;
    this.steps = [];
    this.queue = [];
    this.ahead = null;
    this.blind = false;
    this.sentAt = "";
  }

  /** The ways in which the tile of a slot can go on from here, the likeliest first. */
  lays(slot: number): Lay[] {
    const kind = this.used.has(slot) ? null : this.slots[slot];
    const found = this.legal.filter((action): action is Lay => action.type === "lay" && action.tile === kind);
    return found.sort((a, b) => Number(a.crossing) - Number(b.crossing) || UPWARD.indexOf(a.exit) - UPWARD.indexOf(b.exit));
  }

  /** Plans one act more with the tile of this slot. */
  add(slot: number, lay: Lay, preview: Preview): void {
    this.keep([...this.steps, this.step(this.steps, slot, lay, this.lays(slot))], preview);
  }

  /** Lets the last tile of the plan lead elsewhere; without a way given, to the next one. */
  turn(preview: Preview, wanted?: Lay): void {
    const last = this.steps.at(-1);
    if (!last) return;
    const at = last.ways.findIndex((lay) => written(lay) === written(last.lay));
    const lay = wanted ?? last.ways[(at + 1) % last.ways.length];
    const kept = this.steps.slice(0, -1);
    if (lay && last.slots[0] !== undefined) this.keep([...kept, this.step(kept, last.slots[0], lay, last.ways)], preview);
  }

  private step(before: readonly Step[], slot: number, lay: Lay, ways: readonly Lay[]): Step {
    const taken = new Set([slot, ...before.flatMap((step) => step.slots)]);
    const second = lay.crossing ? [this.slots.findIndex((kind, n) => kind === "universal" && !taken.has(n))] : [];
    return { lay, slots: [slot, ...second], ways };
  }

  /** Takes back the act that used this slot, and all that came after it. */
  drop(slot: number, preview: Preview): void {
    const from = this.steps.findIndex((step) => step.slots.includes(slot));
    if (from >= 0) this.keep(this.steps.slice(0, from), preview);
  }

  back(preview: Preview): void {
    this.keep(this.steps.slice(0, -1), preview);
  }

  private keep(steps: readonly Step[], preview: Preview): void {
    const asked = ++this.asked;
    this.steps = steps;
    this.queue = [];
    this.ahead = null;
    this.blind = false;
    if (!steps.length) return;
    preview(steps.map((step) => written(step.lay))).then(
      (view) => {
        if (asked === this.asked) this.ahead = view;
      },
      () => {
        if (asked === this.asked) this.blind = true;
      },
    );
  }

  /** The plan is decided on: everything is to be sent, and the turn ended if it can be. */
  commit(): void {
    this.queue = [...this.steps.map((step) => written(step.lay)), ...(this.canStop ? ["stop"] : [])];
  }

  // The rack -------------------------------------------------------------------------------------------------------

  /** Moves a tile to another slot; what lies there takes its place. */
  swap(from: number, to: number): void {
    if (from === to || this.steps.length || to < 0 || to >= this.slots.length) return;
    const slots = [...this.slots];
    [slots[from], slots[to]] = [slots[to] ?? null, slots[from] ?? null];
    this.slots = slots;
  }

  sort(): void {
    if (this.steps.length) return;
    const place = (kind: Kind | null): number => (kind === null ? KINDS.length : KINDS.indexOf(kind));
    this.slots = [...this.slots].sort((a, b) => place(a) - place(b));
  }
}

/** The slots with these tiles in them: what is still there stays where it is, what is new fills the gaps. */
export function filled(slots: readonly (Kind | null)[], rack: readonly Kind[]): readonly (Kind | null)[] {
  const left = [...rack];
  const kept = slots.map((kind) => {
    const at = kind === null ? -1 : left.indexOf(kind);
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  });
  for (const kind of left) {
    const gap = kept.indexOf(null);
    if (gap < 0) kept.push(kind);
    else kept[gap] = kind;
  }
  return kept;
}

/** What the touches of Nile mean: a tile of the rack is planned at once, and dragged where it should lead or lie. */
export class RackPicker extends Picker {
  constructor(
    private readonly plan: Plan,
    private readonly touched: (place: string) => void,
    private readonly dropped: (slot: number, place: string) => void,
  ) {
    super(() => {});
  }

  override live(place: string): boolean {
    const slot = slotOf(place);
    if (!this.plan.open || this.plan.running) return false;
    if (slot !== null) return this.plan.used.has(slot) || this.plan.lays(slot).length > 0;
    return true;
  }

  /** Every tile of the rack can be dragged, if only to another slot. */
  override starts(place: string): boolean {
    const slot = slotOf(place);
    return slot !== null && !this.plan.used.has(slot) && (this.plan.slots[slot] ?? null) !== null;
  }

  override tap(place: string): void {
    this.clear();
    if (this.live(place)) this.touched(place);
  }

  override drop(place: string | null): void {
    const slot = slotOf(this.taken[0] ?? "");
    this.drag = null;
    this.clear();
    if (slot !== null && place !== null) this.dropped(slot, place);
  }
}

export function slotOf(place: string): number | null {
  return place.startsWith("slot-") ? Number(place.slice(5)) : null;
}
