import { readFileSync } from "node:fs";

/**
 * The JSON Schema that VS Code checks an mcp.json with, taken out of its program text. The text
 * is minified, so that names are found by what stands beside them.
 *
 * @param file VS Code's workbench.js
 */
export function readVscodeSchema(file: string): object {
  const text = readFileSync(file, "utf8");
  const [, inputsHolder = ""] = match(text, /inputs:([\w$]+)\.definitions\.inputs\}/);
  const [, schemaName = ""] = match(
    text,
    /([\w$]+)=\{id:[\w$]+,type:"object",title:[^{]*allowTrailingCommas/,
  );
  const start = text.lastIndexOf("var ", text.indexOf('{"mcp-server-time":{command:'));
  const { index: end } = match(text, /,[\w$]+=\{extensionPoint:"mcpServerDefinitionProviders"/);

  const inputs = evaluate(`return ${objectAt(text, `${inputsHolder}={definitions:`)}`, {});
  // `id` is draft 4's name of `$id`; no reference uses it.
  const { id: _, ...schema } = evaluate(`${text.slice(start, end)};return ${schemaName}`, {
    [inputsHolder]: inputs,
  });
  return schema;
}

function match(text: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(text);
  if (!found) throw new Error(`VS Code's text has no ${pattern}`);
  return found;
}

/** The object literal that is assigned where `assignment` stands. */
function objectAt(text: string, assignment: string): string {
  const start = text.indexOf("{", text.indexOf(assignment));
  let depth = 0;
  for (let end = start; end < text.length; end++) {
    if (text[end] === "{") depth++;
    if (text[end] === "}" && --depth === 0) return text.slice(start, end + 1);
  }
  throw new Error(`VS Code's text has no end for ${assignment}`);
}

/** Runs literals of the text; names from elsewhere, which are texts to be shown, are empty. */
function evaluate(body: string, known: Record<string, unknown>): Record<string, unknown> {
  const scope = new Proxy(known, {
    has: () => true,
    get: (target, name) => (typeof name === "string" ? (target[name] ?? (() => "")) : undefined),
  });
  return new Function("scope", `with (scope) { ${body} }`)(scope);
}
