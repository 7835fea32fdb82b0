// Choosing an action by touching places of the board one after the other.

/** An action, and the places to touch for it, in order: a piece and its target, a tile and an exit, ... */
export interface Way {
  text: string;
  label: string;
  path: readonly string[];
}

export interface Drag {
  place: string;
  x: number; // in units of the picture
  y: number;
}

/**
 * The touches so far, and what they can still become.
 *
 * A touch that leaves one way only plays it, so that a piece with one move needs one tap; with `careful` every place
 * of the way must be touched. Keyboard, taps and drags all come down to `tap`.
 */
export class Picker {
  ways: readonly Way[] = $state.raw([]);
  taken: readonly string[] = $state.raw([]);
  pointed: string | null = $state(null); // the place under the pointer or the focus
  drag: Drag | null = $state.raw(null);
  readonly open: readonly Way[] = $derived(this.ways.filter((way) => begins(way.path, this.taken)));
  readonly next: ReadonlySet<string> = $derived(places(this.open, this.taken.length));
  /** The way that is complete although others go on from here; the board offers to play it. */
  readonly ready: Way | null = $derived(
    this.taken.length ? (this.open.find((way) => way.path.length === this.taken.length) ?? null) : null,
  );
  /** The places that a touch of the pointed place would still lead to: what to show on hover and focus. */
  readonly ahead: ReadonlySet<string> = $derived.by(() => {
    if (this.taken.length) return this.next;
    const here = this.pointed;
    return here === null ? new Set() : places(this.ways.filter((way) => way.path[0] === here), 1);
  });

  /** The one way that each place is next on; null where there are several. */
  private readonly goals: ReadonlyMap<string, Way | null> = $derived.by(() => {
    const found = only(this.open, this.taken.length);
    return this.taken.length ? new Map([...only(this.ways, 0), ...found]) : found;
  });

  constructor(
    private readonly play: (text: string) => void,
    private readonly careful: () => boolean = () => false,
  ) {}

  /** A new position with new ways; touches of the old one mean nothing any more. */
  offer(ways: readonly Way[]): void {
    this.ways = ways;
    this.clear();
  }

  clear(): void {
    this.taken = [];
    this.drag = null;
  }

  /** Whether a touch of this place means anything now. */
  live(place: string): boolean {
    return this.next.has(place) || this.starts(place) || (this.taken.length > 0 && this.taken.at(-1) === place);
  }

  /** What a touch of this place does, if that is one thing only. */
  does(place: string): string {
    return this.goals.get(place)?.label ?? "";
  }

  starts(place: string): boolean {
    return this.ways.some((way) => way.path[0] === place);
  }

  tap(place: string): void {
    if (this.next.has(place)) {
      this.take([...this.taken, place], !this.careful());
    } else if (this.taken.at(-1) === place) {
      const ready = this.ready ?? (this.open.length === 1 ? this.open[0] : undefined);
      if (ready) this.finish(ready);
      else this.clear();
    } else if (this.starts(place)) {
      this.take([place], !this.careful());
    } else {
      this.clear();
    }
  }

  /** A drag begins here: like a touch, but nothing is played before it ends. */
  lift(place: string): boolean {
    if (!this.starts(place) && !this.next.has(place)) return false;
    this.taken = this.next.has(place) ? [...this.taken, place] : [place];
    return true;
  }

  /** The drag ends over a place, or over nothing. */
  drop(place: string | null): void {
    this.drag = null;
    if (place !== null && this.next.has(place)) this.take([...this.taken, place], true);
    else if (this.taken.at(-1) !== place) this.clear();
  }

  finish(way: Way): void {
    this.clear();
    this.play(way.text);
  }

  private take(taken: readonly string[], quick: boolean): void {
    this.taken = taken;
    const [only, ...others] = this.open;
    if (only && !others.length && (quick || only.path.length === taken.length)) this.finish(only);
  }
}

function begins(path: readonly string[], taken: readonly string[]): boolean {
  return taken.every((place, n) => path[n] === place);
}

function only(ways: readonly Way[], depth: number): Map<string, Way | null> {
  const found = new Map<string, Way | null>();
  for (const way of ways) {
    const place = way.path[depth];
    if (place === undefined) continue;
    const before = found.get(place);
    found.set(place, before === undefined || before?.text === way.text ? way : null);
  }
  return found;
}

function places(ways: readonly Way[], depth: number): ReadonlySet<string> {
  return new Set(ways.flatMap((way) => way.path.slice(depth, depth + 1)));
}
