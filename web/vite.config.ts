import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import { licences } from "./plugins/licences.ts";
import { texts } from "./plugins/texts.ts";
import { worker } from "./plugins/worker.ts";

// `npm run dev` shows the client of a server that runs beside it: ASTRAGAL=http://127.0.0.1:8000 npm run dev.
// The server must know the name of the pages: astragal serve --port 8000 --origin http://127.0.0.1:5173
const server = process.env.ASTRAGAL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), svelteTesting(), texts(), licences(), worker()],
  build: {
    outDir: process.env.ASTRAGAL_WEB_OUT ?? "../src/astragal/web",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's policy allows no data: addresses
    modulePreload: { polyfill: false },
    manifest: true,
  },
  server: { host: "127.0.0.1", proxy: { "/api": { target: server, ws: true } } },
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], restoreMocks: true },
});
