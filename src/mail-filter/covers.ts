/** Whether a term finds all mail of another, in any case: `@x.com` that of `bob@mail.x.com`. */
export function covers(term: string, other: string): boolean {
  const [wide, narrow] = [term.toLowerCase(), other.toLowerCase()];
  if (wide === narrow) return true;
  return wide.startsWith("@") && (narrow.endsWith(wide) || narrow.endsWith(`.${wide.slice(1)}`));
}
