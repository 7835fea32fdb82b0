// What this device remembers. Some browsers forbid it; then it is forgotten with the page, and the page says so.

const memory = new Map<string, string>();

function probe(): Storage | null {
  try {
    localStorage.setItem("astragal", "1");
    localStorage.removeItem("astragal");
    return localStorage;
  } catch {
    return null;
  }
}

const storage = probe();

/** Whether anything is remembered beyond this page. */
export const remembers = storage !== null;

export function recall<T>(name: string, otherwise: T): T {
  try {
    const text = (storage ? storage.getItem(`astragal.${name}`) : memory.get(name)) ?? null;
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    storage?.setItem(`astragal.${name}`, text);
  } catch {
    // full: what matters is on the server
  }
}
