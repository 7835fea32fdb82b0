// What the page tells, and when: one event after the other, so that board, headline, log and sound say the same.
//
// An event is first shown (the board moves, and sounds), and told when its movement has ended: only then do log, headline
// and screen readers say it. When all is told the timeline has caught up, and only then does the page show the result,
// the clocks and what can be done now.
import type { BoardModule } from "../boards/board";
import { MOVEMENT } from "../boards/parts/motion";
import type { Event } from "../generated/wire";
import { settings } from "./settings.svelte";
import { play } from "./sound";

/** What the board shows. */
export interface Shown {
  view: object;
  event: { type: string } | null;
  animate: boolean;
  n: number; // the number of the event that led to it, or of a later one that changed nothing on the board
}

const LONGEST_BEHIND = 10_000; // milliseconds that the page may be behind; what takes longer is shown faster
const LONGEST_AWAITED = 5_000; // the same where the table waits for whoever looks
const WORTH_SKIPPING = 900; // milliseconds
const TOO_SHORT = 200; // milliseconds in which nothing can move
const A_FRAME = 40; // milliseconds until a movement begins
const STILL = 250; // milliseconds that an event stays where nothing may move and nothing has to be read

export class Timeline {
  shown: Shown | null = $state.raw(null);
  log: readonly Event[] = $state.raw([]); // what has been told
  said: string = $state(""); // the last of it, for screen readers
  turn: number | null = $state(null); // whose turn it was in the view of what was told last
  busy = $state(false); // there is more to show
  skippable = $state(false); // and it takes long enough to be skipped
  held: Event | null = $state.raw(null); // a throw that waits until whoever looks lets the dice fall

  private queue: Event[] = [];
  private untold: Event | null = null; // shown, and still moving
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly board: () => BoardModule | null,
    private readonly awaited: () => boolean, // whether the table waits for whoever looks
    private readonly caughtUp: () => void,
    private readonly throwsOwn: (event: Event) => boolean = () => false, // whether it is for whoever looks to throw these dice
  ) {}

  /** More has happened. */
  add(events: readonly Event[]): void {
    this.queue.push(...events);
    if (!this.busy) this.next();
    else this.skippable = this.remaining() > WORTH_SKIPPING;
  }

  /** Shows how it stands, without showing how it came to that. */
  jump(log: readonly Event[], view: object | null, n: number, said: string): void {
    this.stop();
    this.log = log;
    this.said = said;
    const event = (log.findLast((one) => one.event)?.event ?? null) as Shown["event"];
    if (view) this.shown = { view, event, animate: false, n };
  }

  /** Everything has been told: the board is as the server says it is. */
  settle(view: object | null, n: number): void {
    if (view && this.shown?.view !== view) this.shown = { view, event: this.shown?.event ?? null, animate: false, n };
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    [this.timers, this.queue, this.untold, this.busy, this.skippable] = [[], [], null, false, false];
    this.held = null;
  }

  /** Lets the dice fall that were held. */
  release(): void {
    const event = this.held;
    this.held = null;
    if (event) this.show(event, event.event as { type: string });
  }

  /** The next event of the queue, or the end of it. */
  private next(): void {
    this.tell();
    this.timers = [];
    for (let event = this.queue.shift(); event; event = this.queue.shift()) {
      this.untold = event;
      const what = (event.event ?? null) as Shown["event"];
      if (event.view && what) {
        if (this.shown && this.throwsOwn(event)) [this.held, this.busy, this.skippable] = [event, true, false];
        else this.show(event, what);
        return;
      }
      if (event.view && !this.shown) this.shown = { view: event.view as object, event: null, animate: false, n: event.n }; // the beginning
      this.tell();
    }
    [this.busy, this.skippable] = [false, false];
    this.caughtUp();
  }

  private show(event: Event, what: { type: string }): void {
    this.busy = true;
    const moves = settings.motion ? MOVEMENT + A_FRAME : 0;
    const left = this.lasts(event) + this.remaining();
    const most = this.awaited() ? LONGEST_AWAITED : LONGEST_BEHIND;
    const last = !this.queue.length && this.awaited() && !this.board()?.dwells?.(what);
    const ms = (last ? Math.min(this.lasts(event), moves) : this.lasts(event)) * Math.min(1, most / left);
    this.shown = { view: event.view as object, event: what, animate: settings.motion && ms > TOO_SHORT, n: event.n };
    play(this.board()?.sound(what) ?? null);
    this.skippable = left > WORTH_SKIPPING;
    this.timers = [setTimeout(() => this.tell(), Math.min(ms, moves)), setTimeout(() => this.next(), ms)];
  }

  private tell(): void {
    const event = this.untold;
    this.untold = null;
    if (!event) return;
    this.log = [...this.log, event];
    if (event.view && event.event) play(this.board()?.soundAfter?.(event.event as { type: string }) ?? null);
    this.said = event.text;
    const view = event.view as { turn?: number } | undefined;
    if (view?.turn !== undefined) this.turn = view.turn;
  }

  private lasts(event: Event): number {
    if (!event.view || !event.event) return 0;
    const what = event.event as { type: string };
    const usual = (this.board()?.lasts(what) ?? 500) * settings.kept.patience;
    return settings.motion || this.board()?.dwells?.(what) ? usual : Math.min(usual, STILL * Math.max(1, settings.kept.patience));
  }

  private remaining(): number {
    return this.queue.reduce((sum, event) => sum + this.lasts(event), 0);
  }
}
