/** What follows `start` in a path: `[1]` for `from[1]` in `from`; undefined outside it. */
export function pathBelow(path: string, start: string): string | undefined {
  if (!path.startsWith(start)) return undefined;
  const rest = path.slice(start.length);
  return rest === "" || rest.startsWith(".") || rest.startsWith("[") ? rest : undefined;
}
