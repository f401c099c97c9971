/** A name that every client takes, as near as possible to a given one; undefined for none. */
export function usableName(name: string): string | undefined {
  const usable = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  return usable === "" ? undefined : usable;
}
