import { noted } from "../../lib/texts.svelte";
import type { Exhibit } from "../exhibits";
import Picture from "./Picture.svelte";

export default {
  Picture,
  place: 2,
  presets: {
    lanes: [noted("Lanes"), noted("Pieces keep to the lanes of the classic game, but walk them both ways. Start here.")],
    royal: [noted("Royal"), noted("Both sides enter on one square and fight for it; often a draw.")],
    "lesser-earth": [noted("Lesser Earth"), noted("Earth is the small block, so the way is steep.")],
  },
  values: {
    "layout.royal": noted("Royal: Earth is the large block"),
    "layout.lesser-earth": noted("Lesser Earth: Earth is the small block"),
    "layout.lanes": noted("Lanes: pieces keep to the lanes"),
  },
  options: {
    layout: noted("Layout"),
  },
  about: {
    pieces: noted("Fewer pieces make a shorter game."),
    layout: noted("Which square plays which part."),
  },
} satisfies Exhibit;
