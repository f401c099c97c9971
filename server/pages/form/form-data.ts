import { isName, type Step, stepsOf } from "./names.ts";

/** An object or a list while its names arrive in any order. */
type Node = Map<Step, Node | string>;

/**
 * The data of a sent form, its names being paths as in `filters[0].from[1]`. Rows are numbered
 * anew, in their order; other names, such as those of a campaign, are none of the form's.
 */
export function formData(parameters: URLSearchParams): Readonly<Record<string, unknown>> {
  const root: Node = new Map();
  for (const [name, value] of parameters) {
    // A form sends every line break as CR LF, whatever was typed.
    if (isName(name)) put(root, stepsOf(name), value.replaceAll("\r\n", "\n"));
  }
  return Object.fromEntries([...root].map(([key, node]) => [key, toValue(node)]));
}

function put(parent: Node, [step = "", ...rest]: readonly Step[], value: string): void {
  if (rest.length === 0) {
    parent.set(step, value);
    return;
  }
  const known = parent.get(step);
  const child: Node = known instanceof Map ? known : new Map();
  parent.set(step, child);
  put(child, rest, value);
}

function toValue(node: Node | string): unknown {
  if (typeof node === "string") return node;
  const entries = [...node].sort(([a], [b]) => Number(a) - Number(b));
  return entries.every(([key]) => typeof key === "number")
    ? entries.map(([, child]) => toValue(child))
    : Object.fromEntries(entries.map(([key, child]) => [key, toValue(child)]));
}
