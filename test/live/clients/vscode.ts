import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import type { Check } from "../runner.ts";
import { generated, localCases, remoteCases, type Workspace } from "./cases.ts";
import type { RemoteProbe } from "./probes.ts";

/**
 * The JSON Schema that VS Code checks an mcp.json with, taken out of its program text. The text
 * is minified, so that names are found by their neighbours.
 *
 * @param file VS Code's workbench.js
 */
function readVscodeSchema(file: string): object {
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

/** The object literal after `assignment`. */
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

/** VS Code's own schema takes the snippets, and what `code --add-mcp` is given. */
export function vscodeChecks(workbench: string, workspace: Workspace, probe: RemoteProbe): Check[] {
  const ajv = new Ajv({ strict: false, validateSchema: false, formats: { uri: true } });
  const validate = ajv.compile(readVscodeSchema(workbench));
  const expectValid = (value: unknown) => {
    if (!validate(value)) throw new Error(ajv.errorsText(validate.errors));
  };

  const inputs = [...localCases(workspace), ...remoteCases(probe)];
  return [
    ...inputs.map((input) => ({
      title: `VS Code's schema takes the snippet of ${input.name}`,
      run: async () => expectValid(JSON.parse(generated(input, "vscode").snippet)),
    })),
    ...inputs.map((input) => ({
      title: `VS Code's schema takes what --add-mcp is given for ${input.name}`,
      run: async () => {
        const line = generated(input, "vscode").install.powershell ?? "";
        const json = line.slice(line.indexOf("'") + 1, -1).replaceAll('\\"', '"');
        const { name, inputs = [], ...entry } = JSON.parse(json);
        expectValid({ servers: { [name]: entry }, inputs });
      },
    })),
    {
      title: "VS Code's schema rejects another root key, another type and both transports",
      run: async () => {
        const wrong = [
          { mcpServers: {} },
          { servers: { a: { type: "streamable-http", url: "https://a" } } },
          { servers: { a: { command: "a", url: "https://a" } } },
        ];
        const taken = wrong.filter((value) => validate(value));
        if (taken.length > 0) throw new Error(`it takes ${JSON.stringify(taken)}`);
      },
    },
  ];
}
