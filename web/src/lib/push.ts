// Web Push: the browser is told that it is one's turn also while no page is open.
import { allow } from "./alerts.svelte";
import { api } from "./api";
import { hall } from "./hall.svelte";

/** Whether this browser can be told anything while no page is open. */
export const canPush = "serviceWorker" in navigator && "PushManager" in globalThis;

/** Whether this browser takes push messages from here now. */
export async function subscribed(): Promise<boolean> {
  const worker = canPush ? await navigator.serviceWorker.getRegistration() : undefined;
  return Boolean(await worker?.pushManager.getSubscription());
}

/** Asks the browser, and gives the server its address; whether that worked. */
export async function subscribe(): Promise<boolean> {
  if (!canPush || !(await allow())) return false;
  const worker = await navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready);
  const given = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: hall.pushKey });
  const { endpoint, keys } = given.toJSON();
  await api.subscribe({ endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } });
  return true;
}

/** Takes no more of them. */
export async function unsubscribe(): Promise<void> {
  const worker = canPush ? await navigator.serviceWorker.getRegistration() : undefined;
  const given = await worker?.pushManager.getSubscription();
  if (!given) return;
  try {
    await api.unsubscribe(given.endpoint);
  } finally {
    await given.unsubscribe(); // what the server still sends goes nowhere then
  }
}
