import { noted } from "../../lib/texts.svelte";
import type { Exhibit } from "../exhibits";
import Picture from "./Picture.svelte";

export default {
  Picture,
  place: 3,
  presets: {
    nile: [noted("The whole river"), noted("The large board, about an hour.")],
    quick: [noted("A short river"), noted("Half as wide and half as far. Start here if you are new.")],
  },
  values: {
    "board.nile": noted("the large board"),
    "board.small": noted("the small board"),
    "tiles.nile": noted("the 104 tiles"),
    "encircle.universal": noted("holders of a universal"),
    "encircle.free": noted("anyone"),
    "blue_finish.anyone": noted("anyone"),
    "blue_finish.same_turn": noted("only the same turn"),
  },
  options: {},
} satisfies Exhibit;
