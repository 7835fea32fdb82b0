// One WebSocket to one match, as one seat or a spectator. It comes back by itself and asks for exactly the rest.
import { Trouble, type Command, type Message } from "./api";
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

export class Channel {
  last = 0; // the number of the last event we have
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private commands = new Map<string, Waiting>();
  private ended = false;

  constructor(
    readonly match: string,
    readonly seat: number | null,
    private readonly listener: Listener,
  ) {
    this.connect();
    addEventListener("online", this.retry);
    document.addEventListener("visibilitychange", this.retry);
  }

  /** Tries again at once, if the channel is waiting to. */
  readonly retry = (): void => {
    if (this.ended || this.socket || document.hidden) return;
    clearTimeout(this.timer);
    this.connect();
  };

  /** Begins anew, although the old socket may think that it is well. */
  renew(): void {
    if (this.ended) return;
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    old?.close();
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
    removeEventListener("online", this.retry);
    document.removeEventListener("visibilitychange", this.retry);
    const socket = this.socket;
    // Closing a socket that is still connecting makes the browser complain in its console.
    if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
    else socket?.close();
    for (const { reject } of this.commands.values()) reject(new Trouble("closed", t("The table was left.")));
    this.commands.clear();
  }

  private connect(): void {
    const query = new URLSearchParams({ since: String(this.last), lang: settings.language, views: "1" });
    if (this.seat !== null) query.set("seat", String(this.seat));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/socket?${query}`);
    this.socket = socket;
    this.listener.changed("connecting", this.tries);
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Message);
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (this.ended) return;
      if (event.code === 4000) {
        this.ended = true;
        this.listener.changed("refused", this.tries);
        return;
      }
      const wait = Math.min(LONGEST_WAIT, 400 * 2 ** this.tries) * (0.7 + 0.6 * Math.random());
      this.tries += 1;
      this.timer = setTimeout(() => this.connect(), wait);
      this.listener.changed("waiting", this.tries);
    };
  }

  private hear(message: Message): void {
    if (message.type === "news") {
      if (this.tries || this.last === 0) for (const { command } of this.commands.values()) this.transmit(command);
      this.tries = 0;
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
        else this.listener.refused(trouble);
      }
      return;
    }
    this.listener.heard(message);
  }

  private transmit(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}
