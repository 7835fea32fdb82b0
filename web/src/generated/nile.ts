// Written by tools/web.py from the rules. Do not edit.

export interface All {
view: View
action: (Draw | Lay | Stop | Pass | Resign)
event: (Drew | Led | Stopped | Passed | Waited | GaveUp)
options: Options
}
/**
 * The table as a seat sees it.
 */
export interface View {
seat: (number | null)
turn: number
options: Options
legal: (Draw | Lay | Stop | Pass | Resign)[]
mover: number
phase: ("deal" | "lots" | "over" | "refill" | "turn")
first: number
rack: ("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal")[]
sizes: number[]
bag: number
unseen: number[]
river: Laid[]
laid: number
pending: (ScoreLine | null)
sheet: ScoreLine[]
scores: number[]
idle: number
gone: number[]
lots: ("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal")[][][]
rivals: number[]
ending: (("alone" | "goal" | "idle" | "tiles") | null)
}
/**
 * House rules. The defaults are the rules as we read them.
 */
export interface Options {
/**
 * Who begins: a seat, or lots
 */
begins: (number | "lots")
/**
 * The board, or a board file of your own
 */
board: (("first" | "nile" | "small") | Board)
/**
 * The tiles, or a tile file of your own
 */
tiles: (("first" | "nile") | TileSet)
/**
 * Who may shut the river in: holders of a universal, or anyone
 */
encircle: ("free" | "universal")
/**
 * Who may end a river that has reached blue: only the same turn, or anyone
 */
blue_finish: ("anyone" | "same_turn")
}
/**
 * A board as its data file has it: rows from the goal down to the start, each with its number in front.
 */
export interface Board {
name: string
rows: string[]
groups: Group[]
}
/**
 * What covering any fields of a U-shaped red group costs, once a turn.
 */
export interface Group {
letter: string
penalty: number
}
/**
 * A set of tiles as its data file has it, and the rack they are played from (NI-2, NI-9).
 */
export interface TileSet {
name: string
rack: number
bonus: number
tiles: Tile[]
}
/**
 * One kind in a set: how many there are, and the value printed on each.
 */
export interface Tile {
kind: ("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal")
count: number
value: number
}
/**
 * A tile of this kind comes out of the bag (chance).
 */
export interface Draw {
type: "draw"
kind: ("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal")
}
/**
 * A tile goes onto the head field and leads the river to its exit (NI-3).
 * 
 * A crossing (NI-15) is the same act with a second tile: a universal takes the place of the tile beyond the exit.
 */
export interface Lay {
type: "lay"
field: string
tile: ("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal")
exit: number
stands: (("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal") | null)
crossing: boolean
}
/**
 * The turn ends here (NI-8).
 */
export interface Stop {
type: "stop"
}
/**
 * No tile fits (NI-10), or none can begin the river (NI-11).
 */
export interface Pass {
type: "pass"
}
/**
 * One of three or four players gives up; the others play on.
 */
export interface Resign {
type: "resign"
seat: number
}
/**
 * One tile of the river, in the order in which they were laid.
 */
export interface Laid {
field: string
tile: ("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal")
entry: number
exit: number
stands: (("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal") | null)
replaced: (("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal") | null)
shut: boolean
}
/**
 * One line of the score sheet: a turn, or what a rack cost at the end.
 * 
 * `laid`: tiles were laid. `passed`: none fitted, and the rack was shown and exchanged (NI-10). `waited`: the player
 * could not open and keeps the rack (NI-11). `resigned`: the seat is out. `left`: on the rack at the end (NI-18).
 */
export interface ScoreLine {
seat: number
how: ("laid" | "left" | "passed" | "resigned" | "waited")
tiles: ("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal")[]
fields: [string, number][]
bonus: number
goal: number
total: number
}
/**
 * A tile came out of the bag; only its owner sees which, except while lots are drawn.
 */
export interface Drew {
type: "drew"
seat: number
kind: (("bow" | "curve" | "diagonal" | "far-left" | "far-right" | "near-left" | "near-right" | "straight" | "universal") | null)
lots: boolean
begins: (number | null)
tied: number[]
ended: (Ended | null)
}
/**
 * The game is over with this event.
 */
export interface Ended {
why: ("alone" | "goal" | "idle" | "tiles")
scores: number[]
winners: number[]
}
/**
 * The river went on by a tile, or by the two of a crossing.
 */
export interface Led {
type: "led"
seat: number
laid: Laid[]
line: (ScoreLine | null)
ended: (Ended | null)
}
/**
 * A turn was ended and scored.
 */
export interface Stopped {
type: "stopped"
seat: number
line: ScoreLine
ended: (Ended | null)
}
/**
 * Nothing fitted: the rack was shown, counted against its owner and put back into the bag.
 */
export interface Passed {
type: "passed"
seat: number
line: ScoreLine
}
/**
 * A player had no tile to begin the river with.
 */
export interface Waited {
type: "waited"
seat: number
again: boolean
}
/**
 * A seat is out of the game; its rack went back into the bag unseen.
 */
export interface GaveUp {
type: "gave up"
seat: number
ended: (Ended | null)
}
