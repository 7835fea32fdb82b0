import { mount } from "svelte";
import App from "./App.svelte";
import { api } from "./lib/api";
import { takeTicket } from "./lib/hallkey";
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
