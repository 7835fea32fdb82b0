// Written by tools/web.py from the rules. Do not edit.

export interface All {
view: View
action: (Lots | Throw | Place | Move | Pass | ClaimDraw)
event: (LotsFell | Threw | Placed | Moved | Passed | Claimed)
options: Options
}
/**
 * The table as a seat sees it.
 */
export interface View {
seat: (number | null)
turn: number
options: Options
legal: (Lots | Throw | Place | Move | Pass | ClaimDraw)[]
mover: (number | null)
tips: (("blank" | "gold" | "mixed" | "one" | "silver") | null)
/**
 * @minItems 2
 * @maxItems 2
 */
pools: [number, number]
/**
 * @minItems 2
 * @maxItems 2
 */
squares: [string[], string[]]
/**
 * @minItems 2
 * @maxItems 2
 */
habits: [Habit, Habit]
claimable: boolean
drawn: boolean
winner: (number | null)
}
/**
 * The defaults are the game as printed, on the layout that makes the best game of it (UM-22).
 */
export interface Options {
/**
 * Who begins: a seat, or lots
 */
begins: (number | "lots")
/**
 * Pieces of each player
 */
pieces: number
/**
 * Which square plays which part, or a layout file of your own
 */
layout: (("lanes" | "lesser-earth" | "royal") | Layout)
/**
 * Placing on the Kingdom, Ishtar or Marduk takes an enemy there
 */
placing_captures: boolean
}
/**
 * A layout as its data file has it; squares are separated by spaces.
 */
export interface Layout {
name: string
earth: string
bridge: string
heaven: string
earth_fortresses: string
heaven_fortresses: string
entrance: string
kingdom: string
marduk: string
ishtar: string
route: ("neighbours" | string[])
}
/**
 * Lots are drawn for who begins (chance).
 */
export interface Lots {
type: "lots"
seat: number
}
/**
 * The two dice fall (chance).
 */
export interface Throw {
type: "throw"
tips: ("blank" | "gold" | "mixed" | "one" | "silver")
}
/**
 * A piece from the pool is set on a square.
 */
export interface Place {
type: "place"
square: string
}
/**
 * One piece moves, or two different pieces one after the other.
 */
export interface Move {
type: "move"
hops: Hop[]
}
/**
 * One piece's part of a move. `takes` names what it captures on its way, before the square it ends on.
 */
export interface Hop {
start: string
end: string
takes: string[]
}
/**
 * Nothing else is possible (UM-19).
 */
export interface Pass {
type: "pass"
}
/**
 * A draw is claimed because a player kept repeating (UM-20).
 */
export interface ClaimDraw {
type: "claim-draw"
}
/**
 * What a player did last, and how often in a row (UM-20).
 */
export interface Habit {
last: string
times: number
}
/**
 * Lots settled who begins.
 */
export interface LotsFell {
type: "lots fell"
seat: number
}
/**
 * The dice fell.
 */
export interface Threw {
type: "threw"
seat: number
tips: ("blank" | "gold" | "mixed" | "one" | "silver")
}
/**
 * A new piece came onto the board.
 */
export interface Placed {
type: "placed"
seat: number
square: string
taken: string[]
won: boolean
}
/**
 * One or two pieces moved.
 */
export interface Moved {
type: "moved"
seat: number
hops: Hop[]
taken: string[]
again: boolean
won: boolean
}
/**
 * A side could do nothing.
 */
export interface Passed {
type: "passed"
seat: number
}
/**
 * A draw was claimed.
 */
export interface Claimed {
type: "claimed"
}
