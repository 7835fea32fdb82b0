// Written by tools/web.py from the rules. Do not edit.

export interface All {
view: View
action: (Begins | Roll | Step | Attack | Done | Ask | Draw | Order | Choose | Type | GiveUp | Silence | Count | Know | Take | Resign)
event: (Began | Rolled | Stepped | Attacked | Fought | Ended | Levelled | Asked | Answered | Took | Resigned)
options: Options
}
/**
 * The table as a seat sees it. Squares are named as players name them.
 */
export interface View {
seat: (number | null)
turn: number
options: Options
legal: (Begins | Roll | Step | Attack | Done | Ask | Draw | Order | Choose | Type | GiveUp | Silence | Count | Know | Take | Resign)[]
armies: string[][]
flags: string[]
phase: ("answer" | "attack" | "card" | "fight" | "level" | "lots" | "move" | "order" | "over" | "pick" | "roll")
mover: number
points: number
turns: number
clash: (Clash | null)
question: (Put | null)
used: number[][]
won: number[]
}
/**
 * House rules. The defaults are the printed rules where these speak, else our rulings.
 */
export interface Options {
/**
 * Who begins: a seat, or lots
 */
begins: (number | "lots")
/**
 * Board, or a board file of your own
 */
board: (("quick" | "standard") | Board)
/**
 * Level of the questions; free: the asker picks each time
 */
level: ("easy" | "free" | "hard" | "medium")
/**
 * Soldiers may enter the square of their own flag
 */
own_flag_open: boolean
/**
 * The flag of a player who left stays to be taken, or goes
 */
dead_flags: ("removed" | "stay")
/**
 * Answers are picked from four options, or typed
 */
answering: ("choice" | "open")
/**
 * Seconds for an answer, 10 to 120; 0: no limit
 */
answer_seconds: number
/**
 * How each seat answers: own, or percentages right for easy, medium and hard cards
 */
skill: ("own" | [number, number, number])[]
/**
 * Turns after which the largest army wins; 0: no limit
 */
turn_limit: number
/**
 * The army of each seat
 */
colours: ("egyptian" | "military" | "native" | "samurai")[]
/**
 * The cards, or a deck file of your own
 */
deck: (("default" | "edition-2") | Deck)
}
/**
 * A board as its data file has it: its size, a picture of a camp, and the flags for 2, 3 and 4 players.
 */
export interface Board {
name: string
columns: number
rows: number
camp: string[]
two: string[]
three: string[]
four: string[]
}
/**
 * Cards of all levels, in the order of their file.
 * 
 * A sealed deck has no cards but says how many of each level there are: so much a player knows of a deck whose
 * cards are still to come. Each of its cards is blank.
 */
export interface Deck {
name: string
cards: Card[]
/**
 * @minItems 3
 * @maxItems 3
 */
blank: [number, number, number]
}
/**
 * One question, complete in three languages.
 */
export interface Card {
id: string
level: ("easy" | "hard" | "medium")
era: ("ancient" | "c19" | "c20" | "c21" | "early_modern" | "medieval")
region: ("africa" | "asia" | "europe" | "latin_america" | "north_america" | "oceania" | "world")
kind: ("battle" | "person" | "place" | "term" | "treaty" | "war" | "weapon" | "year")
fact_key: string
review: ("draft" | "human_checked" | "model_checked")
/**
 * @minItems 2
 * @maxItems 2
 */
sources: [Source, Source]
actors: ("africa" | "asia" | "europe" | "latin_america" | "north_america" | "oceania" | "world")[]
woman: boolean
en: Words
de: Words
es: Words
}
/**
 * Where a fact can be looked up; `seen` only if somebody really read it there for this card.
 */
export interface Source {
title: string
place: string
seen: boolean
}
/**
 * A card in one language. Item n of `wrong` is the same thing in every language.
 */
export interface Words {
question: string
answer: string
/**
 * @minItems 3
 * @maxItems 3
 */
wrong: [string, string, string]
accept: string[]
reject: string[]
note: string
}
/**
 * Lots fall on this seat (chance, EG-3).
 */
export interface Begins {
type: "begins"
seat: number
}
/**
 * One die shows a number from `low` to `high` (chance).
 * 
 * Numbers that play alike are one outcome: a second attacking die that does not beat the first changes nothing,
 * whether it shows 1 or 3.
 */
export interface Roll {
type: "roll"
low: number
high: number
}
/**
 * A soldier goes one square.
 */
export interface Step {
type: "step"
start: string
end: string
}
/**
 * All soldiers next to `target` attack it; the one on `risk` is lost if they lose (EG-9).
 */
export interface Attack {
type: "attack"
target: string
risk: string
}
/**
 * No more moves and attacks: on to the question.
 */
export interface Done {
type: "done"
}
/**
 * The asker picks the level of the question (EG-15).
 */
export interface Ask {
type: "ask"
level: ("easy" | "hard" | "medium")
}
/**
 * This card of the level's deck comes up (chance); cards count from 0 in the order of their file.
 */
export interface Draw {
type: "draw"
card: number
}
/**
 * The order in which the four options are shown (chance). 0 is the right one, so this is secret.
 */
export interface Order {
type: "order"
/**
 * @minItems 4
 * @maxItems 4
 */
shown: [number, number, number, number]
}
/**
 * The asked player picks one of the four options.
 */
export interface Choose {
type: "choose"
option: number
}
/**
 * The asked player answers in own words (EG-20, `answering: open`).
 * 
 * `right` is how the answer was judged when it was given. Records keep it, because the judge learns; None is an answer
 * that nobody has judged yet.
 */
export interface Type {
type: "type"
text: string
right: (boolean | null)
}
/**
 * The asked player has no idea (EG-20, `answering: open`).
 */
export interface GiveUp {
type: "give up"
}
/**
 * The time for the answer ran out (EG-20). Only the clock claims this, never a player.
 */
export interface Silence {
type: "silence"
}
/**
 * The players agree that a typed answer counts, whatever the program thinks of it (a claim of all, EG-20).
 */
export interface Count {
type: "count"
}
/**
 * A seat with a `skill` knows the answer, or does not (chance, EG-21).
 */
export interface Know {
type: "know"
right: boolean
}
/**
 * The asker picks which of several nearest soldiers leaves the board (EG-14).
 */
export interface Take {
type: "take"
square: string
}
/**
 * A seat gives up where more than two play (a claim, EG-16).
 */
export interface Resign {
type: "resign"
seat: number
}
/**
 * An attack whose dice are being rolled.
 */
export interface Clash {
target: string
risk: string
dice: number
thrown: number
best: number
}
/**
 * A question on its way to a seat: as much as is known of it.
 */
export interface Put {
seat: number
level: (("easy" | "hard" | "medium") | null)
card: (number | null)
face: (Face | null)
}
/**
 * What everybody sees of a card before the answer: the question, and in their order the options, if any.
 */
export interface Face {
question: Phrase
options: Phrase[]
}
/**
 * One text of a card in all our languages.
 */
export interface Phrase {
en: string
de: string
es: string
}
/**
 * Lots fell on this army.
 */
export interface Began {
type: "began"
army: ("egyptian" | "military" | "native" | "samurai")
}
/**
 * The die for moving fell.
 */
export interface Rolled {
type: "rolled"
army: ("egyptian" | "military" | "native" | "samurai")
points: number
}
/**
 * A soldier went one square.
 */
export interface Stepped {
type: "stepped"
army: ("egyptian" | "military" | "native" | "samurai")
start: string
end: string
result: Result
}
/**
 * What an action changed on the board: who fell where, who had to leave the game, and who won it.
 */
export interface Result {
fell: (string | null)
left: (("egyptian" | "military" | "native" | "samurai") | null)
won: ("egyptian" | "military" | "native" | "samurai")[]
}
/**
 * An attack was announced.
 */
export interface Attacked {
type: "attacked"
army: ("egyptian" | "military" | "native" | "samurai")
enemy: ("egyptian" | "military" | "native" | "samurai")
target: string
risk: string
soldiers: number
}
/**
 * A die of an attack fell, on a number from `low` to `high`.
 */
export interface Fought {
type: "fought"
army: ("egyptian" | "military" | "native" | "samurai")
low: number
high: number
best: number
defends: boolean
tie: boolean
result: Result
}
/**
 * An army moves and attacks no more this turn.
 */
export interface Ended {
type: "ended"
army: ("egyptian" | "military" | "native" | "samurai")
}
/**
 * The asker picked a level.
 */
export interface Levelled {
type: "levelled"
army: ("egyptian" | "military" | "native" | "samurai")
level: ("easy" | "hard" | "medium")
}
/**
 * A card was drawn; its face is there as soon as its options are in order.
 */
export interface Asked {
type: "asked"
army: ("egyptian" | "military" | "native" | "samurai")
level: ("easy" | "hard" | "medium")
face: (Face | null)
}
/**
 * A question was answered, and all learn the right answer and its note.
 */
export interface Answered {
type: "answered"
army: ("egyptian" | "military" | "native" | "samurai")
right: boolean
option: (number | null)
text: string
judged: (Judgement | null)
silent: boolean
counted: boolean
letter: (number | null)
answer: (Phrase | null)
note: (Phrase | null)
result: Result
}
/**
 * What became of a typed answer: how it was matched, and with which text of the card.
 */
export interface Judgement {
right: boolean
how: ("alias" | "exact" | "near" | "nothing" | "rejected")
matched: string
}
/**
 * The asker picked the soldier that leaves.
 */
export interface Took {
type: "took"
army: ("egyptian" | "military" | "native" | "samurai")
enemy: ("egyptian" | "military" | "native" | "samurai")
result: Result
}
/**
 * An army gave up.
 */
export interface Resigned {
type: "resigned"
army: ("egyptian" | "military" | "native" | "samurai")
result: Result
}
