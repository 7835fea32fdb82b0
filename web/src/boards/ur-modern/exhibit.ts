import { noted } from "../../lib/texts.svelte";
import type { Exhibit } from "../exhibits";
import Picture from "./Picture.svelte";

export default {
  Picture,
  place: 2,
  presets: {
    royal: [noted("Royal"), noted("The game as printed. Start here.")],
    "lesser-earth": [noted("Lesser Earth"), noted("Earth is the small block, so the way is steep.")],
    lanes: [noted("Lanes"), noted("Pieces keep to the lanes of the classic game, but walk them both ways.")],
  },
  values: {
    "layout.royal": noted("Royal: Earth is the large block"),
    "layout.lesser-earth": noted("Lesser Earth: Earth is the small block"),
    "layout.lanes": noted("Lanes: pieces keep to the lanes"),
  },
  options: {},
} satisfies Exhibit;
