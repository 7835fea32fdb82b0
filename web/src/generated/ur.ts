// Written by tools/web.py from the rules. Do not edit.

export interface All {
view: View
action: (Throw | Move | Pass)
event: (Threw | Moved | Passed)
options: Options
}
/**
 * The table as a seat sees it. Squares are named as players name them.
 */
export interface View {
seat: (number | null)
turn: number
options: Options
legal: (Throw | Move | Pass)[]
mover: number
throw: (number | null)
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
opening: (number[] | null)
winner: (number | null)
}
/**
 * House rules (UC-13). The defaults are the printed rules.
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
 * Board and way round it, or a board file of your own
 */
path: (("aseb" | "bell" | "masters") | Board)
/**
 * Four dice (0 to 4), or three (1 to 4, none counts 4)
 */
dice: ("four" | "three")
/**
 * A piece on a rosette cannot be taken
 */
safe_rosettes: boolean
/**
 * A rosette gives another throw
 */
rosette_throws: boolean
/**
 * A capture gives another throw
 */
capture_throws: boolean
}
/**
 * A board as its data file has it. The dark side walks the mirror image of the light side's way.
 */
export interface Board {
name: string
rosettes: string[]
light: string
dark: string
}
/**
 * The dice show this many (chance).
 */
export interface Throw {
type: "throw"
pips: number
}
/**
 * A piece goes from one square to another; `in` and `off` are the two ends of the way.
 */
export interface Move {
type: "move"
start: string
end: string
}
/**
 * No piece can move (UC-7).
 */
export interface Pass {
type: "pass"
}
/**
 * The dice fell; in the opening, `begins` is set by the throw that settles who begins.
 */
export interface Threw {
type: "threw"
seat: number
pips: number
opening: boolean
begins: (number | null)
}
/**
 * A piece moved.
 */
export interface Moved {
type: "moved"
seat: number
start: string
end: string
taken: boolean
rosette: boolean
again: boolean
won: boolean
}
/**
 * A side could not move.
 */
export interface Passed {
type: "passed"
seat: number
pips: number
}
