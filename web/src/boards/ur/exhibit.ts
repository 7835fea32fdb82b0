import { noted } from "../../lib/texts.svelte";
import type { Exhibit } from "../exhibits";
import Picture from "./Picture.svelte";

export default {
  Picture,
  place: 1,
  presets: {
    finkel: [noted("British Museum"), noted("The rules that Irving Finkel read from a clay tablet. Start here.")],
    blitz: [noted("Blitz"), noted("Five pieces, captures throw again: short and sharp.")],
    masters: [noted("Masters"), noted("The longer way, three dice, and no safe rosettes.")],
    aseb: [noted("Aseb"), noted("The game as it came to Egypt, on a board of twenty squares.")],
  },
  values: {
    "path.bell": noted("the usual way"),
    "path.masters": noted("the longer way of the masters"),
    "path.aseb": noted("the Egyptian board of twenty squares"),
    "dice.four": noted("four dice"),
    "dice.three": noted("three dice"),
  },
  options: {
    path: noted("Board and way"),
    dice: noted("Dice"),
  },
  about: {
    pieces: noted("Fewer pieces make a shorter game."),
    path: noted("The usual way, the longer one of the masters, or the Egyptian board of twenty squares."),
    dice: noted("Four dice throw 0 to 4. With three no throw is empty: none up counts 4."),
  },
} satisfies Exhibit;
