// Sentences in the language of the player. The English sentence is the key, as everywhere in the project.
import type { Language } from "./settings.svelte";

type Catalogue = Record<string, string | string[]>;
export type Holes = Record<string, string | number>;

const LOADERS: Record<Exclude<Language, "en">, () => Promise<{ default: Catalogue }>> = {
  de: () => import("virtual:texts/de"),
  es: () => import("virtual:texts/es"),
};

let catalogue: Catalogue = $state.raw({});
let current: Language = $state("en");

/** Switches all texts on the page to this language. */
export async function speak(language: Language): Promise<void> {
  const found = language === "en" ? {} : (await LOADERS[language]()).default;
  catalogue = found;
  current = language;
  document.documentElement.lang = language;
}

/** The language that the page is in now. */
export function spoken(): Language {
  return current;
}

/** A whole sentence; `make texts` collects every call with a literal. */
export function t(english: string, holes: Holes = {}): string {
  const found = catalogue[english];
  return fill(typeof found === "string" && found ? found : english, holes);
}

/** A sentence that depends on a number, which fills its hole `{n}`. */
export function tn(n: number, one: string, many: string, holes: Holes = {}): string {
  const found = catalogue[one];
  const forms = Array.isArray(found) && found.every(Boolean) ? found : [one, many];
  return fill((n === 1 ? forms[0] : forms[1]) ?? many, { n: number(n), ...holes });
}

/** Marks a literal for the catalogue where it cannot be said yet; give it to `later`. */
export function noted(english: string): string {
  return english;
}

/** A sentence that was `noted` before. */
export function later(english: string, holes: Holes = {}): string {
  const found = catalogue[english];
  return fill(typeof found === "string" && found ? found : english, holes);
}

/** A number as this language writes it, with so many digits after the decimal sign if they are given. */
export function number(n: number, digits?: number): string {
  return new Intl.NumberFormat(current, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(n).replace("-", "−");
}

/** A moment as this language writes it. */
export function when(at: number): string {
  return new Intl.DateTimeFormat(current, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** How long ago a moment is, roughly: 5 minutes ago, yesterday. */
export function ago(at: number, now = Date.now()): string {
  const words = new Intl.RelativeTimeFormat(current, { numeric: "auto" });
  const seconds = Math.round((at - now) / 1000);
  if (seconds > -60) return t("just now");
  if (seconds > -3600) return words.format(Math.ceil(seconds / 60), "minute");
  if (seconds > -86_400) return words.format(Math.ceil(seconds / 3600), "hour");
  return seconds > -30 * 86_400 ? words.format(Math.ceil(seconds / 86_400), "day") : when(at);
}

/** With a capital at its beginning, as on a button. */
export function headed(text: string): string {
  return text.charAt(0).toLocaleUpperCase(current) + text.slice(1);
}

/** A remark as a sentence of its own: a capital, and something at its end. */
export function sentence(text: string): string {
  return headed(/[.!?…:]["')»”]?$/.test(text) ? text : `${text}.`);
}

function fill(sentence: string, holes: Holes): string {
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => String(holes[name] ?? hole));
}
