const ABBREVIATIONS: Readonly<Record<string, string>> = { mb: "MB", url: "URL" };

/** A property's name for people, "Larger than MB" for `larger_than_mb`. */
export function labelOf(name: string): string {
  const words = name.split("_").map((word) => ABBREVIATIONS[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One row of a list, "Filter" for `filters`. */
export const singularOf = (name: string): string => labelOf(name).replace(/s$/, "");
