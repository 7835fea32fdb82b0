// What somebody looks like: drawn from the name, or from a number that a player chose, so that everybody sees the same face
// without sending a picture.

export interface Portrait {
  ground: string;
  skin: string;
  hair: string;
  cloth: string;
  style: number; // of the hair, from 0 to 5
  beard: number; // 0: none, 1: short, 2: long and curled
  band: number; // 0: nothing, 1: a band, 2: a band with a rosette
  ear: boolean; // earrings
}

const GROUNDS = ["#d9c49a", "#b9cbd9", "#d8b2a0", "#b7c9a8", "#cdb8d4", "#e0cf8f"];
const SKINS = ["#f1cfae", "#dba97c", "#c58c5e", "#a56c43", "#7d4d2e", "#5b3722"];
const HAIRS = ["#1d1612", "#2f2019", "#4a2f1d", "#6e4526", "#8c8177", "#151a24"];
const CLOTHS = ["#1f4e8c", "#a63d2b", "#8a5d12", "#1c6b4f", "#5b3d78", "#e8dcc4"];

/** Of a name alone nobody knows who bears it; of the house's own bots, whom the levels of its games name, we do. */
const BOTS = {
  woman: "kubaba puabi baranamtara enheduanna nebet meryt iset rekhet tawi ankhesen henut neferti aiyana inés tala tomoe zenobia merneith",
  man: "hapi paneb khonsu amennakht senbi milos kenji wikvaya hojo chayton",
  bearded: "ludlul itti-marduk shulgi sennedjem imhotep khaba djedi rafael",
  youth: "dudu ipi tjau toma",
};
export type Bearer = keyof typeof BOTS;

/** Who bears this name, if it is one of the house's bots. */
export const bearer = (name: string): Bearer | undefined => (Object.keys(BOTS) as Bearer[]).find((kind) => BOTS[kind].split(" ").includes(name));

/** The styles of hair that somebody may wear: 0 to 2 are short or none, 3 to 5 long. */
const STYLES: Record<Bearer | "anybody", readonly number[]> = { woman: [3, 4, 5], man: [0, 1, 2], bearded: [0, 1, 2], youth: [0, 1], anybody: [1, 2, 3, 4, 5] };

/** A number that looks random and is always the same for the same text (FNV-1a). */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}

/** `face` is the seed of a chosen face, in hex; without one the name decides. */
export function portrait(name: string, face = ""): Portrait {
  const key = face ? `face ${face}` : name.trim().toLocaleLowerCase("en") || "?";
  let seed = hash(key);
  const who = face ? (seed % 3 === 0 ? "bearded" : "anybody") : (bearer(key) ?? "anybody");
  const pick = (many: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * many);
  };
  const styles = STYLES[who];
  const style = styles[pick(styles.length)]!;
  return {
    ground: GROUNDS[pick(6)]!,
    skin: SKINS[pick(6)]!,
    hair: HAIRS[pick(who === "youth" ? 4 : 6)]!, // nobody young is grey
    cloth: CLOTHS[pick(6)]!,
    style,
    beard: who === "bearded" ? 1 + pick(2) : 0,
    band: pick(3),
    ear: style >= 3 || (pick(3) === 0 && who !== "youth"),
  };
}
