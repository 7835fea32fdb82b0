// Written by tools/web.py from the rules. Do not edit.

export interface All {
command: (Act | Claim | Resign | Offer | Answer | Withdraw | MoreTime | HasShown | Say | Mute | Promise | Open | Leave | Return | Again)
message: (News | Done | Refused | Presence | Beat | Closing)
seated: Seated
summary: Summary
matchList: MatchList
ownData: OwnData
hallMessage: (Welcome | Tables | MatchNews | Gone | Ticket | People | Refused | Beat | Closing)
hallCommand: (Follow | Wait)
newMatch: NewMatch
join: Join
game: GameInfo
hint: Hint
foreseen: Foreseen
keys: PublicKeys
lesson: Page
ahead: Ahead
ownFile: OwnFile
readFile: ReadFile
opponents: Opponents
review: ReviewState
decision: Decision
puzzles: PuzzleList
puzzle: PuzzleTask
puzzleAnswer: PuzzleAnswer
puzzleSight: PuzzleSight
quickMatch: QuickMatch
ownTicket: OwnTicket
reminderState: ReminderState
newWishes: NewWishes
pools: Pools
leaderboard: Leaderboard
profile: Profile
matchRating: MatchRating
exploration: Exploration
standing: Standing
continuation: Continuation
challenge: Challenge
signIn: SignIn
signedIn: SignedIn
ownSeat: OwnSeat
newTournament: NewTournament
madeTournament: MadeTournament
order: (Begin | Pause | Resume | AddBot | Rename | SetAbsent | Remove | Correct | End)
taking: Taking
overview: Overview
hostMatches: HostMatches
hostPlayer: HostPlayer
hostLimit: HostLimit
hostTournament: HostTournament
backups: Backups
storage: Storage
logLine: LogLine
hostOrder: (CloseMatch | KickSeat | ReissueSeat | DeleteMatch | HushMatch | BanAddress | UnbanAddress | RenamePlayer | BanPlayer | UnbanPlayer | ForgetPlayer | StopTournament | DeleteTournament | ChangeLimit | KeepDays | MakeBackup | DeleteBackup)
tournament: TournamentSheet
round: RoundSheet
asker: Asker
questions: QuestionReport
listedTournament: ListedTournament
}
/**
 * Does one of the actions of the seat to act, in the notation of the game.
 */
export interface Act {
type: "act"
/**
 * The ply of the table that this answers to
 */
ply: number
text: string
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Does one of the claims of the table.
 */
export interface Claim {
type: "claim"
/**
 * The ply of the table that this answers to
 */
ply: number
text: string
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Gives up. With more than two players the others play on.
 */
export interface Resign {
type: "resign"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Offers the other players something that needs their consent.
 */
export interface Offer {
type: "offer"
what: ("count" | "draw" | "pause" | "resume" | "takeback" | "takeback-seen")
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Answers the open offer.
 */
export interface Answer {
type: "answer"
yes: boolean
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Takes back one's own offer.
 */
export interface Withdraw {
type: "withdraw"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Takes the time that the seat began with once more, where the table allows it or only bots wait.
 */
export interface MoreTime {
type: "more time"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * All that happened up to this ply is on the seat's screen.
 * 
 * Whoever has said this once is given up to ten seconds before the time of an answer runs, for showing what led to
 * the question; saying it again ends them.
 */
export interface HasShown {
type: "shown"
/**
 * The ply of the table that this answers to
 */
ply: number
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Says something to the table: own words, or one of the ready phrases.
 */
export interface Say {
type: "say"
text?: string
phrase?: string
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Hears a seat no more, or again.
 */
export interface Mute {
type: "mute"
whom: number
on?: boolean
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Commits the seat to a seed: its SHA-256. Null: the seat brings none, and the record will say so.
 */
export interface Promise {
type: "promise"
commitment?: (string | null)
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Opens the seed that was promised, once all seats have promised theirs.
 */
export interface Open {
type: "open"
seed: string
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Frees the seat again, before the match begins.
 */
export interface Leave {
type: "leave"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Takes the seat back from the bot that played on.
 */
export interface Return {
type: "return"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Wants another match with the same players. `begins` is who begins it, where the rules let this seat choose.
 */
export interface Again {
type: "again"
begins?: (number | null)
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * What happened since the last news, and how the match stands now.
 */
export interface News {
type: "news"
events: Event[]
table: Table
data: {
[k: string]: unknown | undefined
}
}
/**
 * One thing that happened, as this viewer may know it.
 */
export interface Event {
n: number
at: number
kind: string
text: string
seat?: (number | null)
ply?: number
notation?: string
event?: unknown
view?: unknown
entry?: unknown
}
/**
 * How the match stands, as this viewer may know it.
 */
export interface Table {
match: string
game: string
status: ("closed" | "lobby" | "over" | "paused" | "running")
n: number
you: (number | null)
ply: number
turn: (number | null)
seats: Place[]
view: unknown
actions: Choice[]
claims: Choice[]
open_actions: boolean
hints: boolean
away: string[]
times: Times
offer: (Pending | null)
can_count: boolean
fair: Fairness
result: (number[] | null)
outcome: string
rated: boolean
again: number[]
chooser: (number | null)
next_match: (string | null)
}
/**
 * A seat at the table.
 */
export interface Place {
seat: number
title: string
player: string
name: string
face: string
ready: boolean
promised: boolean
opens: boolean
}
/**
 * Something the seat may do: what to send, and what it means.
 */
export interface Choice {
text: string
label: string
}
/**
 * The clocks. Times are milliseconds; `falls_at` and `now` count from 1970.
 */
export interface Times {
now: number
control: string
left: number[]
running: (number | null)
falls_at: (number | null)
answer_from: (number | null)
answer_by: (number | null)
more: boolean
}
/**
 * An offer that waits for consent.
 */
export interface Pending {
what: ("count" | "draw" | "pause" | "resume" | "takeback" | "takeback-seen")
seat: number
waits_for: number[]
text: string
}
/**
 * What a record says about its dice; a bot's seat has neither seed nor commitment.
 */
export interface Fairness {
server_commitment: string
seat_commitments: (string | null)[]
seat_seeds: (string | null)[]
server_seed?: (string | null)
abandoned?: Abandoned[]
}
/**
 * A seat that was given up before the match, when a seat's seed was open already.
 * 
 * Whoever knows the server's seed could have computed the dice by then, so the server's seed of that moment
 * (`server_commitment`) is never used, and nobody can leave without it being seen.
 */
export interface Abandoned {
seat: number
name: string
why: ("kicked" | "late" | "left")
commitment: (string | null)
server_commitment: string
}
/**
 * A command was carried out and is stored; `n` is the number of its event.
 */
export interface Done {
type: "done"
id: string
n: number
repeated: boolean
}
/**
 * A command was refused and changed nothing.
 */
export interface Refused {
type: "refused"
id: string
code: string
detail: string
rule: (string | null)
}
/**
 * Which seats' players are connected (bots always are), and how many others watch.
 */
export interface Presence {
type: "presence"
seats: boolean[]
watchers: number
}
/**
 * The connection lives, and this is the server's time. Only for clients that asked for it.
 */
export interface Beat {
type: "beat"
now: number
}
/**
 * The server goes down; reconnect with the last event you have.
 */
export interface Closing {
type: "closing"
text: string
}
/**
 * A match that was created or joined: your seat, its secret, and where to go.
 */
export interface Seated {
match: string
seat: (number | null)
secret: (string | null)
server_commitment: string
links: Links
}
/**
 * Addresses on this server. Secrets stand behind the `#`, which browsers keep to themselves.
 */
export interface Links {
watch: string
join: (string | null)
seat: (string | null)
}
/**
 * A match as everybody may see it in a list.
 */
export interface Summary {
match: string
game: string
title: string
status: string
listed: boolean
watchers: boolean
clock: string
options: unknown
players: Place[]
free: number[]
created_at: number
changed_at: number
turn: (number | null)
result: (number[] | null)
outcome: string
rated: boolean
}
/**
 * A page of a list of matches, and where the next one begins; null: there is none.
 */
export interface MatchList {
matches: Summary[]
after: (string | null)
}
/**
 * Stands in options for a board, layout or deck of a host's own: its digest, and what it is called.
 */
export interface OwnData {
data: string
name: string
}
/**
 * Who the caller is here, and how this server can tell players something who are elsewhere.
 */
export interface Welcome {
type: "welcome"
player: (string | null)
push_key: string
mail: boolean
}
/**
 * Listed tables with a free seat, the latest first; and who waits for a quick match.
 */
export interface Tables {
type: "tables"
tables: Summary[]
waiting: Waiting[]
}
/**
 * How many people wait for a match by these rules now.
 */
export interface Waiting {
game: string
preset: string
clock: string
people: number
}
/**
 * How a match stands that the client follows or the player has a seat in.
 */
export interface MatchNews {
type: "match"
match: Summary
seats: number[]
}
/**
 * There is no such match any more.
 */
export interface Gone {
type: "gone"
match: string
}
/**
 * What has become of a ticket. Who is seated enters the match with the ticket's secret.
 */
export interface Ticket {
type: "ticket"
ticket: string
state: ("gone" | "seated" | "waiting")
match: (string | null)
seat: (number | null)
}
/**
 * Whom the player knows, and who invites it to a table.
 */
export interface People {
type: "people"
people: Person[]
invitations: Invitation[]
}
/**
 * A player whom the reader has played with.
 */
export interface Person {
key: string
name: string
face: string
state: ("asked" | "asks" | "friend" | "known")
online: boolean
}
/**
 * Somebody wants to play with the reader.
 */
export interface Invitation {
host: Person
match: Summary
}
/**
 * Wants to hear of these matches, and no more of those that it named before.
 */
export interface Follow {
type: "follow"
matches: string[]
}
/**
 * Waits for a match with this ticket: as long as it is connected, somebody may be seated with it.
 */
export interface Wait {
type: "wait"
ticket: string
secret: string
}
/**
 * A match to be created.
 */
export interface NewMatch {
game: string
preset?: (string | null)
options?: {
[k: string]: unknown | undefined
}
seats: string[]
sit?: (number | null)
name?: string
commitment?: (string | null)
clock?: string
listed?: boolean
watchers?: boolean
absence?: (Absence | null)
more_time?: boolean
hints?: (boolean | null)
pace?: number
position?: (string | null)
rated?: boolean
}
/**
 * What happens to a player who is gone for so long while the match runs.
 */
export interface Absence {
seconds: number
then?: ("bot" | "forfeit")
}
/**
 * A request for a seat: a free one if none is named. `invite` is the secret of the link.
 */
export interface Join {
seat?: (number | null)
name?: string
commitment?: (string | null)
invite?: string
}
/**
 * A game, for choosing and setting it up.
 */
export interface GameInfo {
id: string
title: string
summary: string
version: number
players: number[]
hidden: boolean
private: boolean
open_actions: boolean
presets: {
[k: string]: unknown | undefined
}
options: OptionField[]
bots: BotInfo[]
perfect: (BotInfo | null)
seats: string[]
questions: [string, string][]
puzzles: boolean
explorable: boolean
}
/**
 * One house rule, as a form needs it.
 */
export interface OptionField {
name: string
label: string
default: unknown
shape: string
switch: boolean
words: unknown[]
low: (number | null)
high: (number | null)
numbers: number
file: boolean
each: (OptionField | null)
}
/**
 * An opponent; its seat is written `bot:` and its id.
 */
export interface BotInfo {
id: string
level: string
name: string
character: string
others: string[]
rating: (number | null)
}
/**
 * What a bot would do, and why; or, where a seat has to know something, the help that is fair.
 */
export interface Hint {
ply: number
sentence: string
text: (string | null)
label: string
value: (number | null)
alternatives: Judged[]
reasons: string[]
by: string
away: string[]
}
/**
 * An action a bot looked at, and how good it thinks it is.
 */
export interface Judged {
text: string
label: string
value: number
}
/**
 * What the seat would see after them; nothing is stored.
 */
export interface Foreseen {
view: unknown
plain: string
}
/**
 * The key that records are signed with now, and those they were signed with before.
 */
export interface PublicKeys {
algorithm: string
key: string
id: string
former: PublicKey[]
}
/**
 * A public key and its short name.
 */
export interface PublicKey {
algorithm: string
key: string
id: string
}
/**
 * A page in one language, with everything a client needs to show it.
 */
export interface Page {
text: string
before: Shown[]
steps: LessonStep[]
why: string
otherwise: string
quiz: boolean
}
/**
 * A position of a lesson as the learner sees it, and the event that led to it.
 */
export interface Shown {
view: unknown
event: unknown
text: string
}
/**
 * One action that the learner is to do.
 */
export interface LessonStep {
actions: [string, string][]
want: string
after: Shown[]
}
/**
 * What the learner would see then.
 */
export interface Ahead {
view: unknown
}
/**
 * A file of a host's own: a board, a layout, a deck of cards.
 */
export interface OwnFile {
name: string
content: string
}
/**
 * What the file holds, as an option of a new match takes it.
 */
export interface ReadFile {
title: string
value: unknown
}
/**
 * Who plays by these rules. `table` is for the host of a hall: what the perfect bot would need to play too.
 */
export interface Opponents {
bots: BotInfo[]
table: (TableOffer | null)
unfamiliar: (string | null)
}
/**
 * A table that can be made here, or is being made.
 */
export interface TableOffer {
can_make: boolean
text: string
minutes: number
megabytes: number
making: boolean
share: number
seconds_left: (number | null)
trouble: string
}
/**
 * How far a review is, and the review once it is there.
 */
export interface ReviewState {
share: number
review: (Review | null)
told: (Told | null)
reason: string
}
/**
 * A whole review.
 */
export interface Review {
game: string
match: string
evaluator: string
version: string
exact: boolean
trust: string
error: number
seats: SeatReview[]
steps: Step[]
moments: number[]
dice: Dice[]
taken_back: TakenBack[]
}
/**
 * What there is to say of one seat. Chances are shares of the win, from 0 to 1.
 * 
 * result = start + luck - loss + gained + conceded + remainder
 */
export interface SeatReview {
result: number
start: number
luck: number
loss: number
gained: number
conceded: number
remainder: number
decisions: number
loss_a_decision: number
accuracy: number
even: number
slips: number
mistakes: number
blunders: number
turning_points: number[]
seconds: (number | null)
}
/**
 * One ply of a review.
 */
export interface Step {
ply: number
seat: number
action: string
before: number[]
after: number[]
best: string
choices: number
alternatives: [string, number][]
}
/**
 * What one seat threw or drew.
 */
export interface Dice {
seat: number
what: string
count: number
mean: number
expected: number
unusual: number
faces: Face[]
}
/**
 * How often something fell, and how often that was to be expected.
 */
export interface Face {
face: string
seen: number
expected: number
}
/**
 * Plies that were taken back. They do not count; what was played instead follows at `ply` + 1 of the review.
 */
export interface TakenBack {
ply: number
steps: Step[]
}
/**
 * A review in words.
 */
export interface Told {
title: string
verdict: string
evaluator: string
seats: ToldSeat[]
sums: ToldRow[]
table: ToldRow[]
steps: ToldStep[]
taken_back: string[]
}
/**
 * What there is to say of one seat.
 */
export interface ToldSeat {
name: string
player: string
figures: string[]
dice: string[]
}
/**
 * A line of the table of figures: what it is, and the figure of every seat.
 */
export interface ToldRow {
label: string
cells: string[]
}
/**
 * One ply in words.
 */
export interface ToldStep {
happened: string
judged: string
best: string
}
/**
 * A decision of a finished match before it was made: what the seat saw, and everything it could do.
 */
export interface Decision {
ply: number
seat: number
view: unknown
choices: Choice[]
}
/**
 * All puzzles of a game, and the one of the day.
 */
export interface PuzzleList {
puzzles: PuzzleEntry[]
today: string
day: string
}
/**
 * A puzzle in the list of a game.
 */
export interface PuzzleEntry {
id: string
difficulty: ("easy" | "hard" | "medium")
}
/**
 * A puzzle without its answer, as the seat that is asked sees it.
 */
export interface PuzzleTask {
id: string
game: string
difficulty: ("easy" | "hard" | "medium")
seat: number
seats: string[]
view: unknown
plain: string
actions: PuzzleAction[]
rules: string[]
}
/**
 * Something that can be done in a puzzle: its notation, and what it means.
 */
export interface PuzzleAction {
text: string
label: string
}
/**
 * The grade of a try, and the answer.
 */
export interface PuzzleAnswer {
grade: ("blunder" | "mistake" | "near" | "solved")
loss: number
sentences: string[]
kind: string
values: PuzzleValue[]
fails: PuzzleFails[]
exact: boolean
position: (string | null)
options: {
[k: string]: unknown | undefined
}
}
/**
 * An action, and the share of the win that it is worth.
 */
export interface PuzzleValue {
text: string
label: string
value: number
}
/**
 * How often a level of bots fails at a puzzle.
 */
export interface PuzzleFails {
level: string
share: number
}
/**
 * What the seat would see then.
 */
export interface PuzzleSight {
view: unknown
}
/**
 * What somebody wants to play, and the promise of a seed. Without a preset the usual rules.
 */
export interface QuickMatch {
game: string
preset: string
clock: string
name: string
commitment: (string | null)
}
/**
 * A ticket, to be shown over the hall's socket (`wait`). Its secret is that of the seat, once there is one.
 */
export interface OwnTicket {
ticket: string
secret: string
}
/**
 * What a player wants, and where it can be told.
 */
export interface ReminderState {
push: boolean
mail: boolean
quiet_from: (number | null)
quiet_to: (number | null)
zone: string
devices: number
address: string
confirmed: boolean
}
/**
 * By which ways to be told, and the quiet hours; both or none of them.
 */
export interface NewWishes {
push: boolean
mail: boolean
quiet_from: (number | null)
quiet_to: (number | null)
zone: string
}
/**
 * Where people are rated.
 */
export interface Pools {
pools: Pool[]
provisional: number
}
/**
 * A game with a number of players, in which people are rated apart from all others.
 */
export interface Pool {
game: string
title: string
players: number
rated: number
}
/**
 * The best of a pool, and its bots to compare with.
 */
export interface Leaderboard {
game: string
players: number
ranked: Ranked[]
bots: Anchor[]
}
/**
 * A line of a leaderboard.
 */
export interface Ranked {
rank: number
key: string
name: string
face: string
rating: number
deviation: number
games: number
skill: (Skill | null)
}
/**
 * The average loss of a decision, and how far it may be off; None for a single decision.
 */
export interface Skill {
matches: number
decisions: number
loss: number
margin: (number | null)
}
/**
 * A bot, whose rating is fixed.
 */
export interface Anchor {
bot: string
name: string
rating: number
}
/**
 * A player as everybody may know it.
 */
export interface Profile {
key: string
name: string
face: string
ratings: Rated[]
}
/**
 * A rating, and how far it may be off: in 95 of 100 cases by no more than twice its deviation.
 */
export interface Rated {
game: string
players: number
rating: number
deviation: number
games: number
provisional: boolean
skill: (Skill | null)
history: Point[]
}
/**
 * A rating after one match.
 */
export interface Point {
at: number
match: string
rating: number
deviation: number
}
/**
 * What is at stake in a match, or what it changed.
 */
export interface MatchRating {
rated: boolean
counted: boolean
reason: string
seats: SeatRating[]
}
/**
 * The rating of one seat's player: as it stands while the match goes on, and after it as the match left it.
 */
export interface SeatRating {
seat: number
key: (string | null)
rating: (number | null)
deviation: (number | null)
provisional: boolean
change: (number | null)
}
/**
 * A position with everything that can happen next.
 */
export interface Exploration {
position: string
options: {
[k: string]: unknown | undefined
}
view: unknown
plain: string
seat: number
seats: string[]
value: number
throws: WeighedThrow[]
source: string
version: string
exact: boolean
trust: string
}
/**
 * A throw, and what can be done with it, the best first.
 */
export interface WeighedThrow {
text: string
label: string
chance: number
view: unknown
position: string
choices: Choice[]
actions: WeighedAction[]
}
/**
 * An action, what it is worth to the seat that acts, and where it leads.
 */
export interface WeighedAction {
text: string
label: string
value: number
position: string
}
/**
 * Where a finished match of a game without secrets once stood.
 */
export interface Standing {
game: string
options: {
[k: string]: unknown | undefined
}
position: string
}
/**
 * A match to be created that goes on from the middle of a finished one, against bots.
 */
export interface Continuation {
/**
 * The ply of the table that this answers to
 */
ply: number
seat: number
bot?: string
name?: string
commitment?: (string | null)
pace?: number
}
/**
 * What is to be signed: `astragal-player-1`, this server's origin and the nonce, each on a line of its own.
 * 
 * A client takes the origin from the address that it has called itself; `audience` is what this server believes it is.
 * `player` is whose session the request shows already, and `seconds` how long that is still good.
 */
export interface Challenge {
nonce: string
audience: string
player: (string | null)
seconds: number
}
/**
 * A signed challenge, and what the player calls itself.
 */
export interface SignIn {
key: string
nonce: string
signature: string
name?: (string | null)
face?: (string | null)
lang?: (string | null)
}
/**
 * A session, for the header `Astragal-Player`; browsers have it as a cookie besides. It lasts so many seconds.
 */
export interface SignedIn {
player: Player
session: string
seconds: number
new: boolean
}
/**
 * A player as it may see itself.
 */
export interface Player {
key: string
name: string
face: string
lang: string
}
/**
 * A seat of a player.
 */
export interface OwnSeat {
match: string
seat: number
game: string
status: string
changed_ms: number
}
/**
 * A tournament to be made. Its matches are made by the server, all by the same rules.
 */
export interface NewTournament {
title: string
kind?: ("class" | "tournament")
format: ("arena" | "groups" | "round-robin" | "swiss")
game: string
preset?: (string | null)
options?: {
[k: string]: unknown | undefined
}
clock?: string
size?: number
rounds?: number
games?: number
minutes?: number
no_show?: number
listed?: boolean
}
/**
 * A tournament that was made, and the organiser's secret, for the header `Authorization: Bearer`.
 */
export interface MadeTournament {
tournament: string
secret: string
links: TournamentLinks
}
/**
 * Addresses on this server. The organiser's secret stands behind the `#`, which browsers keep to themselves.
 */
export interface TournamentLinks {
enter: string
wall: string
organiser: (string | null)
}
/**
 * Begins: the first round is paired.
 */
export interface Begin {
type: "begin"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Lets nothing new begin; matches that were begun go on.
 */
export interface Pause {
type: "pause"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Goes on.
 */
export interface Resume {
type: "resume"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Lets one of the server's bots take part.
 */
export interface AddBot {
type: "add bot"
bot: string
name?: string
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Gives somebody another name.
 */
export interface Rename {
type: "rename"
entrant: number
name: string
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Somebody is not paired until they are back.
 */
export interface SetAbsent {
type: "set absent"
entrant: number
absent?: boolean
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Somebody takes part no more. What was played counts; a game they are in is lost.
 */
export interface Remove {
type: "remove"
entrant: number
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Gives a game a result, or another one; a match that is still played for it is closed.
 */
export interface Correct {
type: "correct"
round: number
table: number
shares: number[]
game?: number
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Ends it now; matches that are still played are closed and count for nothing.
 */
export interface End {
type: "end"
/**
 * A key of the client's own, so that a repeated command is known
 */
id?: string
}
/**
 * Somebody takes part; `secret` is for the header `Authorization: Bearer`, null for who has signed in.
 */
export interface Taking {
tournament: string
entrant: number
secret: (string | null)
}
/**
 * How the server stands. The load is that of the one process that answers.
 */
export interface Overview {
version: string
process: string
servers: number
unreadable: number
damage: string
load: Load
}
/**
 * The load of one server process.
 */
export interface Load {
uptime_s: number
sockets: number
halls: number
rooms: number
queue: number
bot_queue: number
actions_per_s: number
cpu_share: number
slow_ms: (number | null)
loop_delay_ms: number
memory_bytes: (number | null)
}
/**
 * A page of matches; `after` leads to the next.
 */
export interface HostMatches {
matches: HostMatch[]
after: (string | null)
}
/**
 * A match as the host sees it.
 */
export interface HostMatch {
match: string
game: string
status: string
listed: boolean
bots_only: boolean
rated: boolean
created_ms: number
changed_ms: number
players: string[]
followers: number
}
/**
 * A player as the host sees it.
 */
export interface HostPlayer {
key: string
name: string
face: string
seen_ms: number
seats: number
banned: boolean
renamed: boolean
}
/**
 * A limit: what holds now, what this process was started with, and whether the host has changed it.
 */
export interface HostLimit {
name: string
flag: string
text: string
value: number
started: number
changed: boolean
least: number
}
/**
 * A tournament as the host sees it.
 */
export interface HostTournament {
tournament: string
title: string
kind: string
game: string
status: string
listed: boolean
created_ms: number
changed_ms: number
}
/**
 * The backups beside the embedded store; `folder` is None for PostgreSQL, which has its own tools for that.
 */
export interface Backups {
folder: (string | null)
backups: Backup[]
}
/**
 * A backup that the host's page made.
 */
export interface Backup {
name: string
made_ms: number
bytes: number
}
/**
 * What the store holds and how much room there is.
 */
export interface Storage {
embedded: boolean
bytes: number
free_bytes: (number | null)
matches: {
[k: string]: unknown | undefined
}
players: number
tournaments: number
oldest_ms: (number | null)
keep_days: number
doomed: number
}
/**
 * One line of the log; lines are numbered from 1, also those that are forgotten by now.
 */
export interface LogLine {
n: number
at_ms: number
level: string
text: string
}
/**
 * A match will not go on.
 */
export interface CloseMatch {
type: "close"
match: string
}
/**
 * A seat is taken from its player; seats count from 1.
 */
export interface KickSeat {
type: "kick"
match: string
seat: number
}
/**
 * A seat gets a new link, and the old one is worth nothing.
 */
export interface ReissueSeat {
type: "reissue"
match: string
seat: number
}
/**
 * A match goes with all that belongs to it.
 */
export interface DeleteMatch {
type: "delete"
match: string
}
/**
 * All that was said in a match goes.
 */
export interface HushMatch {
type: "hush"
match: string
}
/**
 * An address or a network is kept out.
 */
export interface BanAddress {
type: "ban"
address: string
}
/**
 * An address may come in again.
 */
export interface UnbanAddress {
type: "unban"
address: string
}
/**
 * A player is called something else, for good.
 */
export interface RenamePlayer {
type: "player-rename"
key: string
called: string
}
/**
 * A player is kept out.
 */
export interface BanPlayer {
type: "player-ban"
key: string
}
/**
 * A player may come in again.
 */
export interface UnbanPlayer {
type: "player-unban"
key: string
}
/**
 * A player goes, with its names and all it said.
 */
export interface ForgetPlayer {
type: "player-forget"
key: string
}
/**
 * A tournament is over.
 */
export interface StopTournament {
type: "tournament-stop"
tournament: string
}
/**
 * A tournament goes, with its matches and all names.
 */
export interface DeleteTournament {
type: "tournament-delete"
tournament: string
}
/**
 * A limit changes, for all servers of the store.
 */
export interface ChangeLimit {
type: "limit"
name: string
value: (number | null)
}
/**
 * Matches are removed so many days after their end.
 */
export interface KeepDays {
type: "keep-days"
days: number
}
/**
 * A backup of the embedded store.
 */
export interface MakeBackup {
type: "backup"
}
/**
 * A backup that is not needed any more.
 */
export interface DeleteBackup {
type: "backup-delete"
name: string
}
/**
 * How a tournament stands, as everybody may see it.
 */
export interface TournamentSheet {
tournament: string
title: string
kind: ("class" | "tournament")
game: string
format: ("arena" | "groups" | "round-robin" | "swiss")
status: ("open" | "over" | "paused" | "running")
n: number
size: number
games: number
clock: string
no_show: number
rounds: number
round: number
began_at: (number | null)
ends_at: (number | null)
report: boolean
standings: StandingsRow[]
playing: TableSheet[]
byes: number[]
}
/**
 * An entrant in the standings.
 */
export interface StandingsRow {
place: number
entrant: number
name: string
bot: boolean
points: number
played: number
won: number
level: number
lost: number
byes: number
share: number
buchholz: number
berger: number
absent: boolean
withdrawn: boolean
}
/**
 * A table of a round.
 */
export interface TableSheet {
round: number
table: number
entrants: number[]
games: GameSheet[]
points: (number[] | null)
}
/**
 * A game of a table, as everybody may see it: nothing of it is told before it is over.
 */
export interface GameSheet {
match: (string | null)
seats: number[]
shares: (number[] | null)
how: (("closed" | "corrected" | "no-show" | "played" | "withdrawn") | null)
}
/**
 * A round: its tables and byes.
 */
export interface RoundSheet {
round: number
tables: TableSheet[]
byes: number[]
}
/**
 * Who asks: somebody who takes part or not, and whether they lead it.
 */
export interface Asker {
own: (OwnPlace | null)
organiser: boolean
}
/**
 * What somebody who takes part has to know: where they stand, and the match that waits for them.
 */
export interface OwnPlace {
entrant: number
name: string
state: ("absent" | "bye" | "over" | "play" | "waiting" | "withdrawn")
place: number
points: number
round: number
game: number
match: (string | null)
seat: (number | null)
seated: boolean
opponents: string[]
by: (number | null)
}
/**
 * Which questions were hard, of all matches that are over; the hardest first. It names nobody.
 */
export interface QuestionReport {
matches: number
running: number
levels: LevelRow[]
questions: QuestionRow[]
}
/**
 * All questions of a level.
 */
export interface LevelRow {
level: string
asked: number
right: number
}
/**
 * A question of the report.
 */
export interface QuestionRow {
question: string
level: string
text: string
answer: string
asked: number
right: number
}
/**
 * A tournament in a list.
 */
export interface ListedTournament {
tournament: string
title: string
game: string
status: string
created_at: number
}
