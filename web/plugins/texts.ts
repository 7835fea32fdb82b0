// The client's part of the project's catalogues: `import("virtual:texts/de")`.
// tools/texts.py marks the sentences of the browser in the .po files with the comment "web".
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { po } from "gettext-parser";
import type { Plugin } from "vite";

const PREFIX = "virtual:texts/";
const FOLDER = new URL("../../src/astragal/locale/", import.meta.url);

export function texts(): Plugin {
  return {
    name: "astragal-texts",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const file = fileURLToPath(new URL(`${id.slice(PREFIX.length + 1)}.po`, FOLDER));
      this.addWatchFile(file);
      const sentences: Record<string, string | string[]> = {};
      const found = po.parse(readFileSync(file), { defaultCharset: "utf-8" }).translations[""] ?? {};
      for (const [key, entry] of Object.entries(found)) {
        if (!entry.comments?.extracted?.split("\n").includes("web")) continue;
        sentences[key] = entry.msgid_plural ? entry.msgstr : (entry.msgstr[0] ?? "");
      }
      return `export default ${JSON.stringify(sentences)}`;
    },
  };
}
