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
  options: {},
} satisfies Exhibit;
