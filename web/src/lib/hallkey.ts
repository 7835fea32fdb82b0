// The key of a hall on this computer: only the page that the program itself opened has it, for as long as its tab lives.
// It comes as a ticket behind the #, good once, which is taken out of the address and exchanged at once.

const NAME = "astragal.hall";

interface Kept {
  ticket?: string;
  key?: string;
}

function recall(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "{}") as Kept;
  } catch {
    return {};
  }
}

let kept = recall();

function keep(now: Kept): void {
  kept = now;
  try {
    sessionStorage.setItem(NAME, JSON.stringify(now));
  } catch {
    // forbidden: it is kept until the page is loaded anew
  }
}

/** Takes the ticket out of the address, before anybody copies it. */
export function takeTicket(): void {
  const ticket = /^#hall=([\w.-]+)$/.exec(location.hash)?.[1];
  if (!ticket) return;
  keep({ ticket });
  history.replaceState(null, "", location.pathname + location.search);
}

let asking: Promise<void> | null = null;

/** The key, or nothing if this is not the page that the program opened. */
export async function hallKey(exchange: (ticket: string) => Promise<{ key: string }>): Promise<string | undefined> {
  if (kept.ticket) {
    asking ??= show(kept.ticket, exchange).finally(() => (asking = null));
    await asking;
  }
  return kept.key;
}

async function show(ticket: string, exchange: (ticket: string) => Promise<{ key: string }>): Promise<void> {
  try {
    keep({ key: (await exchange(ticket)).key });
  } catch (error) {
    if ((error as { code?: string }).code === "forbidden") keep({}); // used already, or of an older hall
  }
}
