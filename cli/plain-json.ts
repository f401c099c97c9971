/**
 * Parses JSON that is no more than that, as most files are. What has comments, trailing commas,
 * keys given twice or errors is left to the parser that knows of them, which takes longer to load.
 *
 * @returns undefined when it is not such a text.
 */
export function parsePlainJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // A key given twice is a member in the text, but not in the value.
    return countMembers(text) === countKeys(value) ? { value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Outside strings a colon stands in each member, and nowhere else. */
const countMembers = (json: string): number =>
  json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "").split(":").length - 1;

const countKeys = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce((sum: number, part) => sum + countKeys(part), own);
};
