// JSON Schemas on stdin, TypeScript on stdout: `tools/web.py` calls it.
import { compile } from "json-schema-to-typescript";

const HEAD = "// Written by tools/web.py from the rules. Do not edit.\n\n";

/** msgspec writes tuples as `prefixItems`; the compiler reads the older form. */
function older(schema) {
  if (Array.isArray(schema)) return schema.map(older);
  if (schema === null || typeof schema !== "object") return schema;
  const { prefixItems, ...rest } = schema;
  const out = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, older(value)]));
  if (prefixItems) Object.assign(out, { items: older(prefixItems), minItems: prefixItems.length, maxItems: prefixItems.length });
  delete out.default; // a default would make a field that is always sent optional
  return out;
}

let input = "";
for await (const chunk of process.stdin) input += chunk;
const out = {};
for (const [name, schema] of Object.entries(JSON.parse(input))) {
  out[name] =
    HEAD +
    (await compile(older(schema), "All", {
      additionalProperties: false,
      bannerComment: "",
      format: false,
      strictIndexSignatures: true,
    }));
}
process.stdout.write(JSON.stringify(out));
