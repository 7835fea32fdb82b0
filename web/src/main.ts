import { mount } from "svelte";
import App from "./App.svelte";
import { settings } from "./lib/settings.svelte";
import { speak } from "./lib/texts.svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

settings.dress();
await speak(settings.language).catch(() => {}); // English, if the catalogue cannot be had
mount(App, { target: document.getElementById("app")! });
