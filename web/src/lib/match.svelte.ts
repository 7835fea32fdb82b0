// A match as a page shows it: what the server says, shown one event after the other.
//
// A device may hold several seats of a match (friends at one screen). Each seat has its own channel, for each sees
// something else; `face` is the seat through whose eyes the page looks now.
import type { BoardModule } from "../boards/board";
import { loadBoard } from "../boards";
import type { Event, News, Table } from "../generated/wire";
import { Trouble, type Command, type Message } from "./api";
import { Channel, type Link } from "./channel";
import { device } from "./device.svelte";
import { dropSeed, keepSeed, keptSeed, newSeed } from "./fair";
import { identity } from "./identity.svelte";
import { settings } from "./settings.svelte";
import { later, noted, t } from "./texts.svelte";
import { history, resultOf } from "./history.svelte";
import { play } from "./sound";
import { Timeline } from "./timeline.svelte";

const USUAL = 3000; // milliseconds that the server may take without a word
const MOST_SHOWN = 14; // events that are shown one by one; whoever missed more sees how it stands now

export class MatchPage {
  table: Table | null = $state.raw(null); // as far as it has been shown
  board: BoardModule | null = $state.raw(null);
  heard: readonly Event[] = $state.raw([]); // all that happened, also what is still to be shown
  link: Link = $state("connecting");
  tries = $state(0);
  trouble: Trouble | null = $state.raw(null); // the table cannot be shown
  complaint = $state(""); // something that was tried did not work
  present: readonly boolean[] = $state.raw([]);
  watchers = $state(0);
  sending = $state(false);
  slow = $state(false); // what was sent waits for its answer longer than usual
  face: number | null = $state(null);
  handTo: number | null = $state(null); // the device is to be handed to this seat
  skew = $state(0); // how far the server's clock is ahead of ours
  witnessed = $state(false); // the match ended while this page was open
  heldAt: number | null = $state(null); // while older events are shown the clocks stand as they were then

  private channels = new Map<number | null, Channel>();
  private tables = new Map<number | null, Table>();
  private logs = new Map<number | null, readonly Event[]>(); // each seat hears its own secrets
  private readonly timeline = new Timeline(
    () => this.board,
    () => this.awaited,
    () => this.settle(),
    (event) => this.throwsOwn(event),
  );
  private offsets: number[] = []; // of the server's clock from ours, in its last messages
  private boarded: Promise<unknown> | null = null; // the board, once it is loaded
  private seeding = new Set<number>();
  private showing = new Set<number>(); // seats that have told the server that they show one event after the other

  constructor(
    readonly id: string,
    readonly seats: readonly number[],
    private readonly isPrivate: () => boolean,
  ) {
    this.face = seats[0] ?? null;
    for (const seat of seats.length ? seats : [null]) this.channels.set(seat, this.open(seat));
    document.addEventListener("visibilitychange", this.sayShown);
  }

  /** What the viewer may do now; nothing while older events are still being shown. */
  get choices() {
    const table = this.table;
    if (!table || this.busy || this.sending || this.handTo !== null || table.status !== "running") return [];
    return table.actions;
  }

  get yourTurn(): boolean {
    return !this.busy && this.table?.status === "running" && this.table.turn !== null && this.table.turn === this.table.you;
  }

  /** Whose turn it is, as far as it has been shown. */
  get turn(): number | null {
    const turn = this.table?.turn ?? null;
    const told = this.timeline.turn;
    return this.busy && told !== null && told >= 0 && told !== this.face ? told : turn;
  }

  get shown() {
    return this.timeline.shown;
  }
  /** What has happened, as far as it has been shown. */
  get log() {
    return this.timeline.log;
  }
  /** Older events are still being shown. */
  get busy(): boolean {
    return this.timeline.busy;
  }
  get skippable(): boolean {
    return this.timeline.skippable;
  }
  /** For screen readers: what just happened. */
  get said(): string {
    return this.timeline.said;
  }
  set said(text: string) {
    this.timeline.said = text;
  }

  /** The dice of whoever looks wait to be thrown. */
  get toThrow(): boolean {
    return this.timeline.held !== null;
  }

  /** Lets them fall; they show what was drawn. */
  throwDice(): void {
    this.timeline.release();
  }

  private throwsOwn(event: Event): boolean {
    if (settings.kept.throwing !== "self" || !event.event || !event.view) return false;
    const thrown = this.board?.dice?.(event.event as { type: string }, event.view as object);
    return thrown !== null && thrown !== undefined && this.seats.includes(thrown.seat);
  }

  /** Shows at once how the match stands now. */
  skip(): void {
    const table = this.tables.get(this.face);
    if (!table || !this.busy) return;
    this.jump(table, this.heard.slice(this.log.length).map((event) => event.text).join(" "));
  }

  close(): void {
    this.timeline.stop();
    document.removeEventListener("visibilitychange", this.sayShown);
    for (const channel of this.channels.values()) channel.close();
  }

  /** Texts come from the server, so a new language means coming back in it. */
  reopen(): void {
    for (const channel of this.channels.values()) channel.close();
    this.timeline.stop();
    this.timeline.log = this.heard = [];
    this.logs.clear();
    this.tables.clear();
    for (const seat of [...this.channels.keys()]) this.channels.set(seat, this.open(seat));
  }

  retry(): void {
    for (const channel of this.channels.values()) channel.retry();
  }

  /** The server does not answer: perhaps a new connection helps. What was sent is sent again, and happens once. */
  renew(): void {
    this.slow = false;
    for (const channel of this.channels.values()) channel.renew();
  }

  // Doing ------------------------------------------------------------------------------------------------------

  act(text: string): void {
    const table = this.table;
    if (table && !this.sending) void this.send({ type: "act", ply: table.ply, text });
  }

  /** Sends a command of the seat that looks, and says so if the server refuses it. */
  async send(command: Command, seat: number | null = this.face): Promise<boolean> {
    const waits = command.type === "act" || command.type === "claim";
    if (waits) this.sending = true;
    this.complaint = "";
    const patience = setTimeout(() => (this.slow = true), USUAL);
    try {
      await this.channels.get(seat)?.send(command);
      return true;
    } catch (error) {
      const late = error instanceof Trouble && error.code === "late";
      this.complaint = late ? t("The match has moved on in the meantime.") : (error as Error).message;
      return false;
    } finally {
      clearTimeout(patience);
      this.slow = false;
      if (waits) this.sending = false;
    }
  }

  /** The player to whom the device was handed is there. */
  takeOver(): void {
    if (this.handTo === null) return;
    const seat = this.handTo;
    this.handTo = null;
    this.look(seat);
    const times = this.table?.times;
    const over = times && times.answer_from !== null && times.answer_from < Date.now() + this.skew;
    if (times?.more && over) void this.send({ type: "more time" }, seat); // handing over is not thinking
  }

  // Hearing ----------------------------------------------------------------------------------------------------

  private open(seat: number | null): Channel {
    return new Channel(this.id, seat, {
      heard: (message) => this.hear(message, seat),
      changed: (link, tries) => {
        if (seat === this.face) [this.link, this.tries] = [link, tries];
      },
      refused: (trouble) => {
        if (this.table) this.complaint = trouble.message;
        else this.trouble = trouble;
      },
    });
  }

  private hear(message: Message, seat: number | null): void {
    if (message.type === "presence") [this.present, this.watchers] = [message.seats, message.watchers ?? 0];
    else if (message.type === "beat") this.setClock(message.now);
    else if (message.type === "closing") this.said = message.text;
    else if (message.type === "news") this.news(message, seat);
  }

  private news(news: News, seat: number | null): void {
    const first = !this.tables.has(seat);
    if (this.tables.get(seat)?.status === "lobby" && news.table.status === "running") this.complaint = ""; // of the seeds
    this.tables.set(seat, news.table);
    const log = [...(this.logs.get(seat) ?? []), ...news.events];
    this.logs.set(seat, log);
    if (news.table.status === "lobby") void this.bringSeed(news.table, seat);
    if (seat !== this.face) {
      this.turnTo();
      return;
    }
    this.setClock(news.table.times.now);
    this.heard = log;
    this.remember(news.table);
    this.boarded ??= loadBoard(news.table.game).then((board) => (this.board = board));
    const fresh = news.events.filter((event) => event.view !== undefined || event.kind === "took back");
    if (first || document.hidden || fresh.length > MOST_SHOWN || news.events.some((event) => event.kind === "took back")) {
      this.jump(news.table, first ? "" : news.events.map((event) => event.text).join(" "));
    } else {
      if (fresh.length && !this.busy) this.heldAt = Date.now();
      if (!this.table || this.table.status === "lobby") this.table = opening(news.table);
      if (this.board || settings.kept.throwing === "auto") this.timeline.add(news.events);
      else void this.boarded.then(() => this.timeline.add(news.events)); // the board knows which events are throws
    }
  }

  /** The server's time, from the quickest of its last messages: one that was long on its way says too little. */
  private setClock(now: number): void {
    this.offsets = [...this.offsets, now - Date.now()].slice(-5);
    this.skew = Math.max(...this.offsets);
  }

  /** Whether the match waits for whoever looks. */
  private get awaited(): boolean {
    const now = this.tables.get(this.face);
    return now?.status === "running" && now.turn !== null && now.turn === now.you;
  }

  /** Shows how the match stands, without showing how it came to that. */
  private jump(table: Table, text: string): void {
    this.see(table);
    this.heldAt = null;
    this.timeline.jump(this.heard, table.view as object | null, table.n, text);
    this.turnTo();
    this.sayShown();
  }

  /** Takes over how the match stands; whoever saw it going on hears how it ended. */
  private see(table: Table): void {
    const before = this.table;
    this.table = table;
    if (before?.status !== "running" || table.status !== "over") return;
    this.witnessed = true;
    if (this.seats.length === 1 && table.result) play(resultOf({ seats: this.seats, result: table.result }) === "lost" ? "lose" : "win");
  }

  /** All is shown: the table is as the server says it is. */
  private settle(): void {
    this.heldAt = null;
    const table = this.tables.get(this.face);
    if (!table) return;
    this.see(table);
    this.timeline.settle(table.view as object | null, table.n);
    this.turnTo();
    this.sayShown();
  }

  /** Tells the server that all is on the screen, where it waits for that: the time of an answer begins then. */
  private readonly sayShown = (): void => {
    const table = this.table;
    if (!table || table.you === null || table.status !== "running" || this.busy || this.handTo !== null || document.hidden) return;
    const waits = table.turn === table.you && table.times.answer_from !== null && table.times.answer_from > Date.now() + this.skew;
    if (!waits && this.showing.has(table.you)) return;
    this.showing.add(table.you);
    this.channels.get(table.you)?.send({ type: "shown", ply: table.ply } as Command).catch(() => {}); // too late: it waits no more
  };

  /** At a shared device the page looks through the eyes of whose turn it is. */
  private turnTo(): void {
    const turn = this.tables.get(this.face)?.turn ?? null;
    if (this.busy || this.seats.length < 2 || turn === null || turn === this.face || !this.seats.includes(turn)) return;
    if (this.tables.get(turn)?.turn !== turn) return; // its own channel has not heard of it yet
    const view = this.tables.get(turn)?.view as object | undefined;
    if (this.isPrivate() || (view && this.board?.covers?.(view))) this.handTo = turn;
    else this.look(turn);
  }

  private look(seat: number): void {
    this.face = seat;
    const table = this.tables.get(seat);
    if (!table) return;
    this.heard = this.logs.get(seat) ?? []; // as this seat saw it
    this.table = table;
    this.heldAt = null;
    this.timeline.jump(this.heard, table.view as object | null, table.n, "");
    this.sayShown();
  }

  // Before the match -------------------------------------------------------------------------------------------

  /** This device's part in the dice: promises a seed for its seat, and opens it when that is its turn. */
  private async bringSeed(table: Table, seat: number | null): Promise<void> {
    const place = seat === null ? undefined : table.seats[seat];
    if (!place || seat === null || place.ready || this.seeding.has(seat)) return;
    this.seeding.add(seat);
    try {
      if (!place.promised) {
        const made = await newSeed();
        if (made) keepSeed(this.id, seat, made.seed);
        const kept = await this.send({ type: "promise", commitment: made?.commitment ?? null }, seat);
        if (!kept) dropSeed(this.id, seat); // another device of this player was quicker
      } else if (place.opens) {
        const seed = keptSeed(this.id, seat);
        if (seed) await this.send({ type: "open", seed }, seat);
        else this.complaint = later(identity.key ? SEED_ELSEWHERE : LOST_SEED);
      }
    } finally {
      this.seeding.delete(seat);
    }
    const now = this.tables.get(seat);
    if (now && now !== table && now.status === "lobby") await this.bringSeed(now, seat);
  }

  private remember(table: Table): void {
    const over = table.status === "over" || table.status === "closed";
    const players = table.seats.map(({ seat, player, name, face }) => ({ seat, player, name, face }));
    const at = this.heard.at(-1)?.at ?? Date.now();
    const { status, turn, result } = table;
    device.keep({ match: this.id, game: table.game, seats: [...this.seats], names: [], players, at, over, status, turn, result });
    if (status === "over" && result && this.seats.length) history.keep({ match: this.id, game: table.game, at, seats: [...this.seats], players, result });
    if (table.status !== "lobby" && over) for (const seat of this.seats) dropSeed(this.id, seat);
  }
}

/** The table at the beginning of a match whose first events are still to be shown. */
function opening(table: Table): Table {
  if (table.status === "lobby") return table;
  return { ...table, status: "running", turn: null, actions: [], claims: [], offer: null, result: null, outcome: "" };
}

const SEED_ELSEWHERE = noted("The seed promised for the dice is on the device on which you sat down. Open the table there, or leave the seat and take it again.");
const LOST_SEED = noted("This browser has lost the seed it promised for the dice. Leave the seat and take it again.");
