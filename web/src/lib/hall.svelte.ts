// The one socket of the hall: everything that a page outside a match wants to know, told by the server as it changes.
//
// Every message holds all of its subject. After a break the server tells everything anew, so nothing is ever missed.
import type { All, Summary } from "../generated/wire";
import { tell } from "./alerts.svelte";
import type { TicketNews } from "./api";
import { device } from "./device.svelte";
import { settings } from "./settings.svelte";
import { play } from "./sound";
import { t } from "./texts.svelte";

type Message = All["hallMessage"];
type Of<Kind extends Message["type"]> = Extract<Message, { type: Kind }>;
export type Person = Of<"people">["people"][number];

const LONGEST_WAIT = 10_000;
const SILENCE = 4_000; // milliseconds without a word, of a server that says at least every 1.5 seconds that it lives
const CONNECTING = 8_000;
const MOST_FOLLOWED = 40;

class Hall {
  tables: readonly Summary[] = $state.raw([]);
  waiting: Of<"tables">["waiting"] = $state.raw([]); // for a quick match
  people: readonly Person[] = $state.raw([]);
  invitations: Of<"people">["invitations"] = $state.raw([]);
  player: string | null = $state(null); // the key that the server knows this page by
  pushKey = $state("");
  mail = $state(false);
  arrived: string[] = $state([]); // tables of this device at which everybody sits now
  onTicket: (news: TicketNews) => void = () => {};
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heardAt = 0;
  private followed: readonly string[] = [];
  private ticket: { ticket: string; secret: string } | null = null;

  /** Connects; once for the whole page. */
  open(): void {
    if (this.socket || this.timer) return;
    this.connect();
    setInterval(() => this.listen(), 1000);
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => this.retry());
  }

  /** Begins anew: as somebody else, or in another language. */
  renew(): void {
    if (!this.socket && !this.timer) return;
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    if (old?.readyState === WebSocket.CONNECTING) old.addEventListener("open", () => old.close());
    else old?.close();
    this.connect();
  }

  /** Wants to hear of these matches of the device. */
  follow(matches: readonly string[]): void {
    const wanted = matches.slice(0, MOST_FOLLOWED);
    if (wanted.join() === this.followed.join()) return;
    this.followed = wanted;
    this.send({ type: "follow", matches: [...wanted] });
  }

  /** Waits with a ticket, from now on and after every break; null: no more. */
  wait(ticket: { ticket: string; secret: string } | null): void {
    this.ticket = ticket;
    if (ticket) this.send({ type: "wait", ...ticket });
  }

  private retry(): void {
    if (!document.hidden && this.socket?.readyState !== WebSocket.OPEN) this.renew();
  }

  /** A connection can be lost without a word: then it is silent. */
  private listen(): void {
    const most = this.socket?.readyState === WebSocket.OPEN ? SILENCE : CONNECTING;
    if (this.socket && Date.now() - this.heardAt > most) this.renew();
  }

  private connect(): void {
    const query = new URLSearchParams({ lang: settings.language, beats: "1" });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/hall/socket?${query}`);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      this.heardAt = Date.now();
      this.hear(JSON.parse(String(event.data)) as Message);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      const wait = Math.min(LONGEST_WAIT, 700 * 2 ** this.tries) * (0.7 + 0.6 * Math.random());
      this.tries += 1;
      this.timer = setTimeout(() => this.connect(), wait);
    };
  }

  private send(command: All["hallCommand"]): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private hear(message: Message): void {
    switch (message.type) {
      case "welcome":
        this.tries = 0;
        [this.player, this.pushKey, this.mail] = [message.player, message.push_key, message.mail];
        if (message.player === null) [this.people, this.invitations] = [[], []];
        if (this.followed.length) this.send({ type: "follow", matches: [...this.followed] });
        if (this.ticket) this.send({ type: "wait", ...this.ticket });
        return;
      case "tables":
        [this.tables, this.waiting] = [message.tables as Summary[], message.waiting];
        return;
      case "people":
        if (message.invitations.some((one) => !this.invitations.some((old) => old.match.match === one.match.match)))
          void tell(t("You are invited"), message.invitations.map((one) => one.match.title).join(", "));
        [this.people, this.invitations] = [message.people, message.invitations];
        return;
      case "match":
        this.heardOfMatch(message.match as Summary, message.seats);
        return;
      case "ticket":
        this.onTicket(message);
        return;
      case "closing":
        this.tries = 3; // it takes a moment until it is back
    }
  }

  /** A match of this device, or one in which the player took a seat on another. */
  private heardOfMatch(now: Summary, seats: readonly number[]): void {
    const known = device.find(now.match);
    if (!known && (!seats.length || device.forgotten.includes(now.match))) return;
    const over = now.status === "over" || now.status === "closed";
    const players = now.players.map(({ seat, player, name, face }) => ({ seat, player, name, face }));
    const full = now.status !== "lobby" || !now.free.length;
    if (known?.seats.length && (known.status ?? "lobby") === "lobby" && full && !over) this.arrive(now.match, now.title);
    const mine = (turn: number | null | undefined): boolean => turn != null && turn >= 0 && (known?.seats ?? seats).includes(turn);
    if (known && !over && mine(now.turn) && !mine(known.turn)) void tell(t("Your turn"), now.title);
    const status = now.status === "lobby" && full ? "running" : now.status; // everybody is there: it is about to begin
    device.keep({ names: [], game: now.game, match: now.match, ...known, seats: known?.seats.length ? known.seats : [...seats], players, status, turn: now.turn, result: now.result, over, at: now.changed_at });
  }

  /** Everybody sits at a table of this device. */
  arrive(match: string, title: string): void {
    if (this.arrived.includes(match) || location.pathname === `/table/${match}`) return;
    this.arrived = [...this.arrived, match];
    play("turn");
    void tell(t("Your table is complete"), title);
  }
}

export const hall = new Hall();
