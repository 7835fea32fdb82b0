import type { Exhibit } from "../exhibits";
import Picture from "./Picture.svelte";

export default { Picture, place: Infinity, presets: {}, values: {}, options: {}, about: {} } satisfies Exhibit;
