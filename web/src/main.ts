import { mount } from "svelte";
import App from "./App.svelte";
import { api } from "./lib/api";
import { takeTicket } from "./lib/hallkey";
import { followSeats } from "./lib/own-seats";
import { settings } from "./lib/settings.svelte";
import { speak } from "./lib/texts.svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

takeTicket();
void api.asHost();
settings.dress();
await speak(settings.language).catch(() => {}); // English, if the catalogue cannot be had
mount(App, { target: document.getElementById("app")! });
void followSeats();

// When the page has nothing else to do: from then on it opens at once, and also while its host is away. The event `load`
// may be over by now, since catalogues are waited for.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  setTimeout(() => void navigator.serviceWorker.register("/sw.js").catch(() => {}), 2000);
