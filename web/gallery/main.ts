// Every board in every scene, for those who draw them: `npm run dev`, then /gallery.html?game=ID&scene=3
import { mount } from "svelte";
import { settings } from "../src/lib/settings.svelte";
import { speak } from "../src/lib/texts.svelte";
import "../src/styles/fonts.css";
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import Gallery from "./Gallery.svelte";

settings.dress();
await speak(settings.language);
mount(Gallery, { target: document.getElementById("app")! });
