// Telling somebody who looks elsewhere that it is their turn: by the icon of the page, a sound, and the browser.
import { settings } from "./settings.svelte";
import { play } from "./sound";

const ICON = "/icon.svg";
const WAITING = "/icon-turn.svg";

/** Whether the browser can tell anything, and whether it may. */
export function permission(): NotificationPermission | "never" {
  return "Notification" in globalThis ? Notification.permission : "never";
}

/** Asks the player, who has just asked for it; whether the browser may tell from now on. */
export async function allow(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  const answer = Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  return answer === "granted";
}

/** The icon of the page says whether something waits for the player. */
export function mark(waiting: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = waiting ? WAITING : ICON;
  if (link && link.getAttribute("href") !== wanted) link.href = wanted;
}

/** Says it where the page is not seen: aloud, and by the browser if the player wanted that. */
export async function tell(title: string, body: string): Promise<void> {
  if (!document.hidden) return;
  play("turn");
  if (!settings.kept.notify || permission() !== "granted") return;
  const options = { body, icon: "/icon-192.png", tag: location.pathname };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(title, { ...options, data: location.href });
  else new Notification(title, options);
}
