import { noted } from "../../lib/texts.svelte";
import type { Exhibit } from "../exhibits";
import Picture from "./Picture.svelte";

export default {
  Picture,
  place: 4,
  presets: {
    standard: [noted("Standard"), noted("The large field. Start here.")],
    quick: [noted("Quick"), noted("A smaller field, on which the armies meet at once.")],
  },
  values: {
    "board.standard": noted("13 by 13 squares"),
    "board.quick": noted("11 by 11 squares"),
    "level.easy": noted("easy"),
    "level.medium": noted("medium"),
    "level.hard": noted("hard"),
    "level.free": noted("the asker picks"),
    "dead_flags.stay": noted("stays"),
    "dead_flags.removed": noted("is removed"),
    "answering.choice": noted("picked from four"),
    "answering.open": noted("typed"),
    "deck.edition-2": noted("the cards of the house"),
    "deck.default": noted("the cards of the house, first edition"),
    "skill.own": noted("answers itself"),
    "colours.military": noted("Military"),
    "colours.samurai": noted("Samurai"),
    "colours.native": noted("Native Americans"),
    "colours.egyptian": noted("Egyptians"),
  },
  options: {
    board: noted("Board"),
    level: noted("How hard the questions are"),
    dead_flags: noted("The flag of a player who is out"),
    answering: noted("How answers are given"),
    answer_seconds: noted("Seconds for an answer"),
    turn_limit: noted("Turns at most"),
    colours: noted("Choose the army of each seat"),
    deck: noted("Cards"),
    skill: noted("Say for each seat how it answers: itself, or how often right by chance (easy, medium, hard)"),
  },
  about: {
    board: noted("How large the field is."),
    dead_flags: noted("It stays and can still be taken, or it goes."),
    answering: noted("Picked from four options, or typed."),
    answer_seconds: noted("How long a player may think about a question, from 10 to 120; 0 means as long as they like."),
    turn_limit: noted("After so many turns the largest army wins; 0 means that there is no end by counting."),
    deck: noted("The questions of the house, or a deck of your own."),
  },
  hard: "level",
  asks: "deck",
} satisfies Exhibit;
