/** The keys and indexes that lead to a value, from the root of the input. */
export type Path = readonly (string | number)[];

/** Writes a path as JavaScript would: `filters[0].from[1]`, `env["a b"]`; the root is "". */
export function formatPath(path: Path): string {
  return path
    .map((key, depth) => {
      if (typeof key === "number") return `[${key}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `[${JSON.stringify(key)}]`;
      return depth === 0 ? key : `.${key}`;
    })
    .join("");
}
