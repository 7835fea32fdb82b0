// Who plays on this device: a key that it made for itself, without an account. Whoever has the key is the player.
//
// The key is made when somebody first sits down at a table, and signs in once a session. All of that may fail, or be
// declined in the settings: then one plays as a guest, and nothing else changes.
import type { SignedIn } from "../generated/wire";
import { api, session, type Trouble } from "./api";
import { settings } from "./settings.svelte";
import { recall, remember, remembers } from "./storage";

/** What a player is called, looks like and reads. */
interface Profile {
  name: string;
  face: string;
  lang: string;
}

interface Kept {
  secret: string; // the private key, in hex
  key: string; // the public one
  told: Partial<Profile> | null; // what this server last knew; null: of a key from another device that is not known yet
}

const PURPOSE = "astragal-player-1";
const PATIENCE = 2_500; // milliseconds that somebody who sits down waits for the sign-in
const PAUSE = 15_000; // milliseconds after a sign-in that failed, or was just done, before the next
const EARLY = 3_600_000; // milliseconds before the end of a session from which on a new one is made

class Identity {
  private kept: Kept | null = $state.raw(recall<Kept | null>("key", null));
  signedIn = $state(false);
  trouble: Trouble | null = $state.raw(null); // why the last sign-in failed
  private until = 0; // the end of the session
  private tried = 0; // when a sign-in was last tried
  private going: Promise<boolean> | null = null;

  constructor() {
    session.renew = () => this.renew();
    addEventListener("storage", (change) => {
      if (change.key === "astragal.key") this.reload();
    });
  }

  /** The public key; null for a guest. */
  get key(): string | null {
    return this.kept?.key ?? null;
  }

  /** The private key, to be taken to another device. */
  get secret(): string | null {
    return this.kept?.secret ?? null;
  }

  /** For whoever is about to sit down: the seat will be the player's, if that can be had soon. Never fails. */
  async beforeSeat(): Promise<void> {
    if (!remembers || (settings.kept.guest && !this.kept)) return;
    const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
    await Promise.race([this.begin(), late]);
  }

  /** Makes a key if there is none, and signs in with it. Says whether that worked. */
  async begin(): Promise<boolean> {
    try {
      if (!this.kept) await this.make();
    } catch {
      return false; // the library could not be loaded
    }
    return this.signIn();
  }

  /** Signs in, unless this device is signed in already and has nothing new to tell. Says whether it is, and never fails. */
  async signIn(): Promise<boolean> {
    if (!this.kept) return false;
    const news = Object.keys(this.news(this.kept)).length > 0;
    if (this.signedIn && !news && Date.now() < this.until - EARLY) return true;
    if (!this.signedIn && Date.now() - this.tried < PAUSE) return this.going ?? false;
    return this.try();
  }

  /** Takes over the key of another device. What was this device's key is gone. */
  async adopt(secret: string): Promise<boolean> {
    const { publicKey } = await import("./ed25519");
    settings.change({ guest: false });
    this.keep({ secret, key: publicKey(secret), told: null });
    return this.try();
  }

  /** This device forgets the key, and plays as a guest. */
  async drop(): Promise<void> {
    const { unsubscribe } = await import("./push");
    await unsubscribe().catch(() => {}); // while it is still signed in: who has this device next is told nothing
    settings.change({ guest: true });
    this.keep(null);
    await api.signOut().catch(() => {});
  }

  private async make(): Promise<void> {
    const { newSecret, publicKey } = await import("./ed25519");
    this.reload(); // another page may have been quicker
    if (this.kept) return;
    const secret = newSecret();
    settings.change({ guest: false });
    this.keep({ secret, key: publicKey(secret), told: {} });
  }

  /** The session has ended, or the server does not know it: once more. */
  private renew(): Promise<boolean> {
    if (this.going) return this.going;
    if (!this.kept || Date.now() - this.tried < PAUSE) return Promise.resolve(this.signedIn); // just done, or just tried
    this.signedIn = false;
    return this.try();
  }

  private try(): Promise<boolean> {
    this.going ??= this.run().finally(() => (this.going = null));
    return this.going;
  }

  private async run(): Promise<boolean> {
    const kept = this.kept;
    if (!kept) return false;
    this.tried = Date.now();
    try {
      const { nonce, player, seconds } = await api.challenge();
      const [news, sent] = [this.news(kept), { ...settings.kept }];
      let left = seconds;
      if (player !== kept.key || kept.told === null || Object.keys(news).length || left * 1000 < EARLY) {
        const { sign } = await import("./ed25519");
        const signature = sign(kept.secret, [PURPOSE, location.origin, nonce].join("\n"));
        const answer = await api.signIn({ key: kept.key, nonce, signature, ...news });
        if (this.kept?.key !== kept.key) return false; // it was replaced meanwhile
        left = answer.seconds;
        this.learn(kept, answer, sent);
      }
      this.until = Date.now() + left * 1000;
      [this.signedIn, this.trouble] = [true, null];
    } catch (error) {
      [this.signedIn, this.trouble] = [false, error as Trouble];
    }
    return this.signedIn;
  }

  /** What changed on this device since the server was last told. */
  private news({ told }: Kept): Partial<Profile> {
    if (told === null) return {};
    const { name, face } = settings.kept;
    const now: Profile = { name, face, lang: settings.language };
    return Object.fromEntries(Object.entries(now).filter(([field, value]) => told[field as keyof Profile] !== value));
  }

  /** What the server calls this player counts: the host may have given another name, another device a new face. */
  private learn(kept: Kept, { player, new: fresh }: SignedIn, sent: Pick<Profile, "name" | "face">): void {
    const { name, face, lang } = player;
    this.keep({ ...kept, told: { name, face, lang } });
    if (fresh) return; // it knows what it was told now; what it has forgotten it is told the next time
    if (settings.kept.name !== sent.name || settings.kept.face !== sent.face) return; // changed here meanwhile
    const own = kept.told ? { name: "", face: "" } : sent; // of a device that takes over a player without a name
    settings.change({ name: name || own.name, face: face || own.face });
  }

  private keep(kept: Kept | null): void {
    if (kept?.key !== this.kept?.key) this.signedIn = false;
    this.kept = kept;
    remember("key", kept);
  }

  private reload(): void {
    const before = this.key;
    this.kept = recall<Kept | null>("key", null);
    if (this.key !== before) this.signedIn = false;
  }
}

export const identity = new Identity();
