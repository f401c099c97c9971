import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "../programs.ts";
import type { Checks } from "./linters.ts";

const SERVICE = "vscode-json-languageservice";

/** Checks VS Code's diagnostics for a file whose `$schema` is one of the packed schemas. */
export async function checkEditors(schemas: string, checks: Checks): Promise<void> {
  const folder = await installPackages("editors", [`${SERVICE}@5.7.2`]);
  const { getLanguageService, TextDocument } = await import(join(folder, "node_modules", SERVICE));
  const service = getLanguageService({
    schemaRequestService: async (uri: string) =>
      readFileSync(join(schemas, new URL(uri).pathname.replace("/schemas/", "")), "utf8"),
  });
  /** The file with a cursor at `|`. */
  const at = (text: string) => {
    const offset = text.indexOf("|");
    const file = TextDocument.create("file:///f.json", "json", 1, text.replace("|", ""));
    return [file, file.positionAt(offset), service.parseJSONDocument(file)] as const;
  };
  const schema = '"$schema": "https://tools.example/schemas/automation-cost.json"';

  const completed = await service.doComplete(...at(`{ ${schema}, "zaps": [{ | }] }`));
  const labels = completed.items.map(({ label }: { label: string }) => label).sort();
  checks.same("VS Code completes a Zap", labels.join(), "action_steps,name,runs_per_month");

  const hover = await service.doHover(...at(`{ ${schema}, "zaps": [{ "action|_steps": 2 }] }`));
  const said = JSON.stringify(hover?.contents ?? "");
  checks.add("VS Code explains a field", said.includes("Action steps per run") ? "" : said);

  const [file, , parsed] = at(
    `{ ${schema}, "zaps": [{ "action_steps": 200, "runs_per_month": 1, "x": 1 }] }`,
  );
  const problems = await service.doValidation(file, parsed);
  const messages = problems.map(({ message }: { message: string }) => message);
  checks.same(
    "VS Code finds what is wrong, and takes `$schema`",
    messages.join(" "),
    "Value is above the maximum of 100. Property x is not allowed.",
  );
}
