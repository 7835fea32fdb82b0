// The fonts' licence asks to travel with the fonts, so the build carries it.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const FONTS = ["@fontsource-variable/alegreya", "@fontsource/alegreya-sans"];

export function licences(): Plugin {
  return {
    name: "astragal-licences",
    apply: "build",
    generateBundle() {
      const parts = FONTS.map((name) => readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), "utf-8"));
      this.emitFile({ type: "asset", fileName: "assets/fonts-licence.txt", source: parts.join("\n\n") });
    },
  };
}
