// Sizes as people write them.
import { number } from "../lib/texts.svelte";

const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function bytes(size: number): string {
  const step = size ? Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3)) : 0;
  return `${number(size / 1000 ** step, step > 1 ? 1 : 0)} ${UNITS[step]}`;
}
