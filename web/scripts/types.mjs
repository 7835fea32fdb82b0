// JSON Schemas on stdin, TypeScript on stdout: `tools/web.py` calls it.
import { compile } from "json-schema-to-typescript";

const HEAD = "// Written by tools/web.py from the rules. Do not edit.\n\n";

/** What msgspec writes, in the form that the compiler reads best. */
function older(schema) {
  if (Array.isArray(schema)) return schema.map(older);
  if (schema === null || typeof schema !== "object") return schema;
  const { prefixItems, default: _, ...rest } = schema; // a default would make a field that is always sent optional
  const out = {};
  for (const [key, value] of Object.entries(rest))
    out[key] = key === "properties" || key === "$defs" ? each(value) : older(value);
  if (prefixItems) Object.assign(out, { items: older(prefixItems), minItems: prefixItems.length, maxItems: prefixItems.length });
  else if (out.minItems !== out.maxItems) {
    delete out.minItems;
    delete out.maxItems;
  }
  if (out.type === "object" && !out.properties) out.additionalProperties = true;
  return out;
}
const each = (named) => Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, older(schema)]));

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
