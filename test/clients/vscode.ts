import { Ajv } from "ajv";
import { localCases, remoteCases } from "./cases.ts";
import type { Check } from "./check.ts";
import { generated } from "./generated.ts";
import type { RemoteProbe } from "./remote-probe.ts";
import { readVscodeSchema } from "./vscode-schema.ts";
import type { Workspace } from "./workspace.ts";

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
      title: "VS Code's schema refuses another root key, another type and both transports",
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
