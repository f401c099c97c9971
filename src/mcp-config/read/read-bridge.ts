import { BRIDGE } from "../bridge.ts";
import type { Entry } from "./read-entry.ts";

/** The remote server behind a bridge; any other server as it is. */
export function fromBridge(entry: Entry): Entry {
  const { command, args = [], env = {} } = entry;
  const words = args.filter((arg) => arg !== "-y" && arg !== "--yes");
  const [program = "", url = "", ...options] = words;
  const isBridge = command === "npx" && program.replace(/@[^@/]*$/, "") === BRIDGE.package;
  if (!isBridge || !/^https?:/i.test(url)) return entry;
  const used = new Set<string>();
  const headers: [string, string][] = [];
  for (let index = 0; index < options.length; index += 1) {
    if (options[index] === "--allow-http") continue;
    const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(options[index + 1] ?? "") ?? [];
    if (options[index] !== "--header" || name === undefined || value === undefined) return entry;
    index += 1;
    headers.push([
      name,
      value.replace(/\$\{(\w+)\}/g, (reference, variable: string) => {
        if (!Object.hasOwn(env, variable)) return reference;
        used.add(variable);
        return env[variable] ?? reference;
      }),
    ]);
  }
  if (Object.keys(env).some((variable) => !used.has(variable))) return entry;
  return { url, ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }) };
}
