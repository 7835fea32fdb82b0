// The service worker, with the list of all files of this build: it keeps them, so that the hall opens at once.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const SOURCE = new URL("../src/worker/sw.js", import.meta.url);

export function worker(): Plugin {
  return {
    name: "astragal-worker",
    apply: "build",
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !name.endsWith(".txt")).sort();
      const source = readFileSync(SOURCE, "utf-8");
      const version = createHash("sha256").update(source).update(files.join()).digest("hex").slice(0, 12);
      const list = JSON.stringify(files.map((name) => `/${name}`));
      this.emitFile({ type: "asset", fileName: "sw.js", source: source.replace('"VERSION"', JSON.stringify(version)).replace('["FILES"]', list) });
    },
  };
}
