// The server over HTTP.
import type { Ahead, All, Asker, Challenge, Continuation, Decision, Exploration, Foreseen, GameInfo, Hint, Join, Leaderboard, ListedTournament, MadeTournament, MatchList, MatchRating, NewMatch, News, NewTournament, NewWishes, Opponents, OwnFile, OwnSeat, OwnTicket, Profile, PublicKeys, PuzzleAnswer, PuzzleList, PuzzleSight, PuzzleTask, QuestionReport, QuickMatch, ReadFile, ReminderState, ReviewState, RoundSheet, Seated, SignedIn, SignIn, Standing, Summary, Taking, TournamentSheet } from "../generated/wire";
import { gate } from "./gate.svelte";
import { hallKey } from "./hallkey";
import { filled, unpacked } from "./own";
import { settings } from "./settings.svelte";
import { sentence, t } from "./texts.svelte";

/** Something did not work; `message` is a sentence for the player. */
export class Trouble extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly field = "",
  ) {
    super(sentence(text));
  }
}

/** How a player signs in again whose session has ended; `identity` puts it here. False: that would not help. */
export const session: { renew: () => Promise<boolean> } = { renew: async () => false };

interface Ask {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
}

export function address(path: string, query: Ask["query"] = {}): string {
  const all = Object.entries({ ...query, lang: settings.language }).filter(([, value]) => value !== undefined);
  return `/api${path}?${new URLSearchParams(all.map(([key, value]) => [key, String(value)]))}`;
}

async function answer(path: string, ask: Ask = {}, tries = 1): Promise<Response> {
  const { method = "GET", body, query, headers = {} } = ask;
  let found: Response;
  try {
    found = await fetch(address(path, query), {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Trouble("offline", t("The server cannot be reached. Is it still running?"));
  }
  if (found.ok) return found;
  const said = (await found.json().catch(() => ({}))) as { code?: string; detail?: string; field?: string };
  if (said.code === "password") gate.shut = true;
  if (tries && (said.code === "wrong_secret" || said.code === "not_signed_in") && (await session.renew())) return answer(path, ask, tries - 1);
  throw new Trouble(said.code ?? "internal", said.detail ?? t("Something went wrong on the server."), said.field);
}

/** What the server answers at an address below /api. */
export async function call<T>(path: string, ask?: Ask): Promise<T> {
  return (await (await answer(path, ask)).json()) as T;
}

/** Proves that this is the page which the program on this computer opened, if it is. */
async function asHost(): Promise<Record<string, string>> {
  const key = await hallKey((ticket) => call<{ key: string }>("/hall/key", { method: "POST", body: { ticket } }));
  return key === undefined ? {} : { "astragal-hall": key };
}
const AT_ONCE = 1000; // events in an answer of the server

/** Where the server draws a match, and tells it in sentences, as a seat saw it after event number `n`. */
export function drawn(id: string, seat: number | null, n: number): { picture: string; words: string } {
  const query = { seat: seat ?? undefined, n };
  return { picture: address(`/matches/${id}/picture.svg`, query), words: address(`/matches/${id}/plain`, query) };
}

export const api = {
  games: () => call<GameInfo[]>("/games"),
  game: (id: string) => call<GameInfo>(`/games/${id}`),
  rules: async (id: string) => (await answer(`/games/${id}/rules`)).text(),
  lesson: (id: string) => call<All["lesson"][]>(`/games/${id}/lesson`),
  foresee: (id: string, page: number, step: number, actions: readonly string[]) =>
    call<Ahead>(`/games/${id}/lesson/preview`, { method: "POST", body: { page, step, actions } }),
  ownFile: (id: string, option: string, file: OwnFile) =>
    call<ReadFile>(`/games/${id}/options/${option}/file`, { method: "POST", body: file }),
  /** Every puzzle of a game, and which is that of this day. */
  puzzles: (id: string, day: string) => call<PuzzleList>(`/games/${id}/puzzles`, { query: { day } }),
  puzzle: (id: string, puzzle: string) => call<PuzzleTask>(`/games/${id}/puzzles/${puzzle}`),
  tryPuzzle: (id: string, puzzle: string, action: string) =>
    call<PuzzleAnswer>(`/games/${id}/puzzles/${puzzle}/try`, { method: "POST", body: { action } }),
  puzzleAhead: (id: string, puzzle: string, actions: readonly string[]) =>
    call<PuzzleSight>(`/games/${id}/puzzles/${puzzle}/preview`, { method: "POST", body: { actions } }),
  explore: (id: string, position: string | null, rules: { preset?: string; options?: Record<string, unknown> }) =>
    call<Exploration>(`/games/${id}/explore`, { method: "POST", body: { ...rules, position } }),
  /** Where a finished match once stood, to be explored. */
  standing: (match: string, ply: number) => call<Standing>(`/matches/${match}/position`, { query: { ply } }),
  continueMatch: (match: string, wanted: Continuation) =>
    call<Seated>(`/matches/${match}/continue`, { method: "POST", body: wanted }),
  phrases: () => call<Record<string, string>>("/phrases"),
  /** A page of the listed matches; `after` is that of the page before. */
  listed: (after?: string) => call<MatchList>("/matches", { query: { after } }),
  match: (id: string) => call<Summary>(`/matches/${id}`),
  create: (wanted: NewMatch) => call<Seated>("/matches", { method: "POST", body: wanted }),
  join: (id: string, wanted: Join) => call<Seated>(`/matches/${id}/seats`, { method: "POST", body: wanted }),
  enter: (id: string, secret: string) => call<Seated>(`/matches/${id}/enter`, { method: "POST", body: { secret } }),
  hint: (id: string, seat: number) => call<Hint>(`/matches/${id}/hint`, { method: "POST", query: { seat } }),
  preview: async (id: string, seat: number, actions: readonly string[]): Promise<Foreseen> => {
    const seen = await call<Foreseen>(`/matches/${id}/preview`, { method: "POST", body: { actions }, query: { seat } });
    return { ...seen, view: filled(seen.view) };
  },
  plain: async (id: string, seat: number | null) =>
    (await answer(`/matches/${id}/plain`, { query: { seat: seat ?? undefined } })).text(),
  ask: (id: string, seat: number | null, question: string) =>
    call<{ answer: string | null }>(`/matches/${id}/answer`, { query: { seat: seat ?? undefined, question } }),
  onward: (id: string) => call<{ match: string; seats: number[] }>(`/matches/${id}/onward`, { method: "POST" }),
  /** A whole match with every view; a long one comes in parts. */
  replay: async (id: string): Promise<News> => {
    const part = async (since: number) => unpacked(await call<News>(`/matches/${id}/table`, { query: { views: true, since } }));
    const first = await part(0);
    const events = [...first.events];
    for (let since = AT_ONCE; since < first.table.n; since += AT_ONCE) events.push(...(await part(since)).events);
    return { ...first, events };
  },
  /** What decided a finished match; the first to ask has it made, and `review` is null until it is. */
  review: (id: string) => call<ReviewState>(`/matches/${id}/review`),
  /** One decision of a finished match, as its seat saw it before. */
  decision: async (id: string, ply: number): Promise<Decision> => {
    const seen = await call<Decision>(`/matches/${id}/decisions/${ply}`);
    return { ...seen, view: filled(seen.view) };
  },
  /** Where the players of a match stand; after the end of a rated one, what it changed. */
  matchRating: (id: string) => call<MatchRating>(`/matches/${id}/rating`),
  leaderboard: (game: string, players: number) => call<Leaderboard>(`/ratings/${game}`, { query: { players } }),
  profile: (key: string) => call<Profile>(`/players/${key}`),
  record: (id: string) => call<MatchRecord>(`/matches/${id}/record`),
  key: () => call<PublicKeys>("/key"),
  tournaments: () => call<ListedTournament[]>("/tournaments"),
  makeTournament: (wanted: NewTournament) => call<MadeTournament>("/tournaments", { method: "POST", body: wanted }),
  tournament: (id: string) => call<TournamentSheet>(`/tournaments/${id}`),
  rounds: (id: string) => call<RoundSheet[]>(`/tournaments/${id}/rounds`),
  /** Who this browser is in a tournament: somebody who takes part, its organiser, both or neither. */
  asker: (id: string) => call<Asker>(`/tournaments/${id}/me`),
  takePart: (id: string, name: string, secret: string) =>
    call<Taking>(`/tournaments/${id}/entrants`, { method: "POST", body: { name, secret } }),
  sitInTournament: (id: string, commitment: string | null) =>
    call<Seated>(`/tournaments/${id}/me/sit`, { method: "POST", body: { commitment } }),
  beAbsent: (id: string, absent: boolean) => call<unknown>(`/tournaments/${id}/me/presence`, { method: "POST", body: { absent } }),
  withdraw: (id: string) => call<unknown>(`/tournaments/${id}/me/withdraw`, { method: "POST" }),
  lead: (id: string, secret: string) => call<unknown>(`/tournaments/${id}/organiser`, { method: "POST", body: { secret } }),
  order: (id: string, order: All["order"]) => call<TournamentSheet>(`/tournaments/${id}/orders`, { method: "POST", body: order }),
  questions: (id: string) => call<QuestionReport>(`/tournaments/${id}/report`),
  deleteTournament: (id: string) => answer(`/tournaments/${id}`, { method: "DELETE" }),
  asHost,
  hall: async () => call<HallInfo>("/hall", { headers: await asHost() }),
  openHall: async (password: string) =>
    call<HallInfo>("/hall", { method: "POST", body: { password }, headers: await asHost() }),
  /** The bots that play by some rules; for the host of a hall also what the perfect one would need. */
  opponents: async (id: string, preset: string, options: Record<string, unknown>, players: number) =>
    call<Opponents>(`/games/${id}/opponents`, { method: "POST", body: { preset, options, players }, headers: await asHost() }),
  makeTable: async (wanted: { game: string; preset: string; options: Record<string, unknown> }) =>
    call<unknown>("/hall/tables", { method: "POST", body: wanted, headers: await asHost() }),
  cancelTable: async () => void (await answer("/hall/tables", { method: "DELETE", headers: await asHost() })),
  /** Something to sign, and whose session this browser has already. */
  challenge: () => call<Challenge>("/players/challenge", { method: "POST", body: {} }),
  signIn: (signed: SignIn) => call<SignedIn>("/players/session", { method: "POST", body: signed }),
  signOut: async () => void (await answer("/players/session", { method: "DELETE" })),
  ownSeats: () => call<OwnSeat[]>("/players/me/seats"),
  /** All that the server has stored about this player. */
  ownData: () => call<unknown>("/players/me/export"),
  /** Has the server delete all of it. */
  forgetMe: async () => void (await answer("/players/me/forget", { method: "POST", body: {} })),
  /** Waits for others who want the same; what becomes of it is told over the hall's socket. */
  quick: (wanted: QuickMatch) => call<OwnTicket>("/meeting/quick", { method: "POST", body: wanted }),
  leaveQuick: (ticket: string, secret: string) => call<TicketNews>(`/meeting/quick/${ticket}/leave`, { method: "POST", body: { secret } }),
  befriend: async (key: string) => void (await answer(`/meeting/friends/${key}`, { method: "PUT" })),
  unfriend: async (key: string) => void (await answer(`/meeting/friends/${key}`, { method: "DELETE" })),
  invited: (match: string) => call<{ player: string; declined: boolean }[]>(`/meeting/tables/${match}/invitations`),
  invite: async (match: string, player: string) => void (await answer(`/meeting/tables/${match}/invitations`, { method: "POST", body: { player } })),
  acceptInvitation: (match: string, commitment: string | null) => call<Seated>(`/meeting/tables/${match}/accept`, { method: "POST", body: { commitment } }),
  declineInvitation: async (match: string) => void (await answer(`/meeting/tables/${match}/decline`, { method: "POST" })),
  /** How the player wants to be told that it is their turn. */
  reminders: () => call<ReminderState>("/reminders"),
  setReminders: (wanted: NewWishes) => call<ReminderState>("/reminders", { method: "PUT", body: wanted }),
  subscribe: (device: { endpoint: string; keys: { p256dh: string; auth: string } }) => call<ReminderState>("/reminders/devices", { method: "POST", body: device }),
  unsubscribe: (endpoint: string) => call<ReminderState>("/reminders/devices/remove", { method: "POST", body: { endpoint } }),
  setMail: (address: string) => call<ReminderState>("/reminders/mail", { method: "POST", body: { address } }),
  dropMail: async () => void (await answer("/reminders/mail", { method: "DELETE" })),
  confirmMail: async (token: string) => void (await answer("/reminders/mail/confirm", { method: "POST", body: { token } })),
  removeMail: async (token: string) => void (await answer("/reminders/mail/remove", { method: "POST", query: { token } })),
  login: (password: string) => call<{ pass: string }>("/login", { method: "POST", body: { password } }),
};

/** Whether this hall runs on the player's own computer and can be opened to the network, and where it then is. */
export interface HallInfo {
  can_open: boolean;
  addresses: string[];
}

/** As much of a record as the check of its dice and its signature needs; docs/records.md has all of it. */
export interface MatchRecord {
  header: { match: string; fair: import("../generated/wire").Fairness };
  entries: { type: string; n?: number; weights?: number[]; action?: string }[];
  result: number[] | null;
  signature?: { algorithm: string; key: string; value: string };
}

export type TicketNews = Extract<All["hallMessage"], { type: "ticket" }>;
export type Message = All["message"];
export type Command = All["command"];
