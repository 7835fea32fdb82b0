import { noted } from "../../lib/texts.svelte";
import type { Exhibit } from "../exhibits";
import Picture from "./Picture.svelte";

export default {
  Picture,
  place: 3,
  presets: {
    nile: [noted("The whole river"), noted("The large board, about an hour.")],
    quick: [noted("A short river"), noted("Half as wide and half as far. Start here if you are new.")],
    first: [noted("The first reconstruction"), noted("The large board and the tiles as they were in earlier versions.")],
  },
  values: {
    "board.nile": noted("the large board"),
    "board.small": noted("the small board"),
    "board.first": noted("the large board of the first reconstruction"),
    "tiles.nile": noted("the 104 tiles"),
    "tiles.first": noted("the 104 tiles of the first reconstruction"),
    "encircle.universal": noted("holders of a universal"),
    "encircle.free": noted("anyone"),
    "blue_finish.anyone": noted("anyone"),
    "blue_finish.same_turn": noted("only the same turn"),
  },
  options: {
    board: noted("The board"),
    tiles: noted("Tiles"),
    encircle: noted("Who may shut the river in"),
    blue_finish: noted("Who may end a river that has reached blue"),
  },
  about: {
    board: noted("How wide and how long the river can get."),
    tiles: noted("Which tiles are in the bag."),
    encircle: noted("Only whoever holds a universal tile, which can lead out again, or anyone."),
    blue_finish: noted("Only the player who leads it there, in the same turn, or anyone."),
  },
  first: "quick",
} satisfies Exhibit;
