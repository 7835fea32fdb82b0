// One WebSocket to one match, as one seat or a spectator. It comes back by itself and asks for exactly the rest.
import { session, Trouble, type Command, type Message } from "./api";
import { unpacked } from "./own";
import { settings } from "./settings.svelte";
import { t } from "./texts.svelte";

export type Link = "connecting" | "open" | "waiting" | "refused" | "closed";

interface Waiting {
  command: Command;
  resolve: () => void;
  reject: (trouble: Trouble) => void;
}

interface Listener {
  heard: (message: Message) => void;
  changed: (link: Link, tries: number) => void;
  refused: (trouble: Trouble) => void;
}

const LONGEST_WAIT = 10_000;
const SILENCE = 3_500; // milliseconds without a word, of a server that says at least every 1.5 seconds that it lives
const CONNECTING = 6_000; // milliseconds that a new connection may take

export class Channel {
  last = 0; // the number of the last event we have
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private commands = new Map<string, Waiting>();
  private ended = false;
  private heardAt = 0;
  private greeted = false; // this connection was let in
  private refusal: Trouble | null = null; // why the server is about to close the connection
  private renewed = false; // it was tried to sign in again
  private readonly watchdog: ReturnType<typeof setInterval>;

  constructor(
    readonly match: string,
    readonly seat: number | null,
    private readonly listener: Listener,
  ) {
    this.connect();
    this.watchdog = setInterval(() => this.listen(), 500);
    addEventListener("online", this.retry);
    document.addEventListener("visibilitychange", this.retry);
  }

  /** Tries again at once, if the channel is waiting to. */
  readonly retry = (): void => {
    if (this.ended || document.hidden || this.socket?.readyState === WebSocket.OPEN) return;
    this.renew();
  };

  /** A connection can be lost without a word: then it is silent. */
  private listen(): void {
    const most = this.socket?.readyState === WebSocket.OPEN ? SILENCE : CONNECTING;
    if (this.socket && Date.now() - this.heardAt > most) this.renew();
  }

  /** Begins anew, although the old socket may think that it is well. */
  renew(): void {
    if (this.ended) return;
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    if (old) discard(old);
    this.tries += 1; // so that commands without an answer are sent again
    this.connect();
  }

  /** Sends a command; done once the server has stored it. Repeats it after a break, which the server recognises. */
  send(command: Command): Promise<void> {
    const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
    return new Promise((resolve, reject) => {
      const kept = { ...command, id };
      this.commands.set(id, { command: kept, resolve, reject });
      this.transmit(kept);
    });
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.watchdog);
    removeEventListener("online", this.retry);
    document.removeEventListener("visibilitychange", this.retry);
    if (this.socket) discard(this.socket);
    for (const { reject } of this.commands.values()) reject(new Trouble("closed", t("The table was left.")));
    this.commands.clear();
  }

  private connect(): void {
    const query = new URLSearchParams({ since: String(this.last), lang: settings.language, views: "1", beats: "1" });
    if (this.seat !== null) query.set("seat", String(this.seat));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/socket?${query}`);
    this.socket = socket;
    this.heardAt = Date.now();
    [this.greeted, this.refusal] = [false, null];
    this.listener.changed(this.tries ? "waiting" : "connecting", this.tries);
    socket.onopen = () => (this.heardAt = Date.now());
    socket.onmessage = (event) => {
      if (this.socket !== socket) return; // given up; its last words come too late
      this.heardAt = Date.now();
      this.hear(JSON.parse(String(event.data)) as Message);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (this.ended) return;
      if (event.code === 4000) {
        void this.refused(this.refusal);
        return;
      }
      const wait = Math.min(LONGEST_WAIT, 400 * 2 ** this.tries) * (0.7 + 0.6 * Math.random());
      this.tries += 1;
      this.timer = setTimeout(() => this.connect(), wait);
      this.listener.changed("waiting", this.tries);
    };
  }

  /** The server does not let this seat in. A player's own seat is open again after signing in. */
  private async refused(why: Trouble | null): Promise<void> {
    const renews = why?.code === "wrong_secret" && !this.renewed;
    this.renewed = true;
    if (renews && (await session.renew())) {
      if (!this.ended) this.connect();
      return;
    }
    this.ended = true;
    if (why) this.listener.refused(why);
    this.listener.changed("refused", this.tries);
  }

  private hear(message: Message): void {
    if (message.type === "news") {
      if (this.tries || this.last === 0) for (const { command } of this.commands.values()) this.transmit(command);
      this.tries = 0;
      [this.greeted, this.renewed] = [true, false];
      this.last = message.table.n;
      this.listener.changed("open", 0);
      this.listener.heard(unpacked(message));
      return;
    } else if (message.type === "done" || message.type === "refused") {
      const waiting = this.commands.get(message.id);
      this.commands.delete(message.id);
      if (message.type === "done") waiting?.resolve();
      else {
        const trouble = new Trouble(message.code, message.detail);
        if (waiting) waiting.reject(trouble);
        else if (this.greeted) this.listener.refused(trouble);
        else this.refusal = trouble;
      }
      return;
    }
    this.listener.heard(message);
  }

  private transmit(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}

/** Closes a socket. One that is still connecting is closed later, or the browser complains in its console. */
function discard(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket.close();
}
