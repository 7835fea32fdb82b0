// What a player set for this device.
import { recall, remember } from "./storage";

export type Language = "en" | "de" | "es";
export const LANGUAGES: Record<Language, string> = { en: "English", de: "Deutsch", es: "Español" };

export type Theme = "auto" | "light" | "dark";
export type Motion = "auto" | "off";
export type Look = "shell" | "stone" | "night"; // of boards and pieces
export type Throwing = "auto" | "self"; // whether one's own dice wait to be thrown
export type Drawn = "auto" | "on" | "off"; // the way round the board; auto: in the first games

export interface Kept {
  language: Language | null; // null: the browser's
  theme: Theme;
  motion: Motion;
  sound: boolean;
  volume: number; // from 0 to 1
  confirm: boolean; // a tap selects, and a second one moves
  patience: number; // how much longer than usual a move of another is shown
  name: string;
  face: string; // the seed of a chosen face, in hex; empty: drawn from the name
  guest: boolean; // plays without a key
  look: Look;
  throwing: Throwing;
  coordinates: boolean; // the names of squares at the edge of the board
  way: Drawn;
  notify: boolean; // by the browser, when it is one's turn on a page that is not seen
}

const DEFAULTS: Kept = {
  language: null,
  theme: "auto",
  motion: "auto",
  sound: true,
  volume: 0.7,
  confirm: false,
  patience: 1,
  name: "",
  face: "",
  guest: false,
  look: "shell",
  throwing: "auto",
  coordinates: true,
  way: "auto",
  notify: false,
};

class Settings {
  kept: Kept = $state({ ...DEFAULTS, ...recall<Partial<Kept>>("settings", {}) });
  quiet = $state(false); // the system asks for reduced motion

  constructor() {
    const query = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
    this.quiet = query?.matches ?? false;
    query?.addEventListener("change", (change) => (this.quiet = change.matches));
  }

  /** Whether anything on the page may move. */
  get motion(): boolean {
    return this.kept.motion !== "off" && !this.quiet;
  }

  /** The language that was chosen, or else the browser's first that we speak. */
  get language(): Language {
    if (this.kept.language) return this.kept.language;
    const wanted = (navigator.languages ?? [navigator.language]).map((code) => code.slice(0, 2));
    return (wanted.find((code) => code in LANGUAGES) as Language | undefined) ?? "en";
  }

  change(some: Partial<Kept>): void {
    Object.assign(this.kept, some);
    remember("settings", this.kept);
    this.dress();
  }

  /** Shows the page as it was set; the stylesheet does the rest. */
  dress(): void {
    const root = document.documentElement;
    if (this.kept.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = this.kept.theme;
    root.dataset.motion = this.motion ? "on" : "off";
    root.dataset.look = this.kept.look;
  }
}

export const settings = new Settings();
