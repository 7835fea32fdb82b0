// The games of a player follow to every device that has the key: what the server knows of them is added to what this
// device remembers.
import type { OwnSeat, Summary } from "../generated/wire";
import { api } from "./api";
import { device } from "./device.svelte";
import { history } from "./history.svelte";
import { identity } from "./identity.svelte";

const RUNNING = 40; // of the latest, as many as the device keeps
const MOST = 200; // matches that are asked about; the rest when somebody comes the next time
const QUICK = 20; // of them without a pause
const PAUSE = 100; // milliseconds, since servers limit requests

let looking: Promise<void> | null = null;

/** Looks for seats that were taken, and matches that ended, on another device. Never fails. */
export function followSeats(): Promise<void> {
  looking ??= look()
    .catch(() => {}) // the server is away, or does not know this player
    .finally(() => (looking = null));
  return looking;
}

async function look(): Promise<void> {
  if (!(await identity.signIn())) return;
  const matches = new Map<string, OwnSeat[]>();
  for (const seat of await api.ownSeats()) matches.set(seat.match, [...(matches.get(seat.match) ?? []), seat]);
  const running = [...matches.values()].filter(([first]) => first!.status === "lobby" || first!.status === "running");
  const over = [...matches.values()].filter(([first]) => first!.status === "over");
  const unknown = [...running.slice(0, RUNNING).filter(isNew), ...over.filter(isUnread)].slice(0, MOST);
  for (const [n, seats] of unknown.entries()) {
    if (n >= QUICK) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const summary = await api.match(seats[0]!.match).catch(() => null); // it may have been deleted just now
    if (summary) keep(summary, seats.map((one) => one.seat));
  }
}

/** A seat that goes on, and that this device does not know of, or not as its own. */
function isNew([first, ...more]: OwnSeat[]): boolean {
  const known = device.find(first!.match);
  return !device.forgotten.includes(first!.match) && [first!, ...more].some(({ seat }) => !known?.seats.includes(seat));
}

function isUnread([first]: OwnSeat[]): boolean {
  return first!.changed_ms > history.since && !history.all.some((one) => one.match === first!.match);
}

function keep(summary: Summary, seats: number[]): void {
  const { match, game, status, turn, result, changed_at: at } = summary;
  const players = summary.players.map(({ seat, player, name, face }) => ({ seat, player, name, face }));
  if (status === "over") {
    if (result) history.keep({ match, game, at, seats, players, result });
  } else if (status !== "closed") {
    device.keep({ match, game, seats, names: [], players, at, over: false, status, turn, result });
  }
}
