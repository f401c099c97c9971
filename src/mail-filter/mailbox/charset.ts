const decoders = new Map<string, TextDecoder | undefined>();

/** The decoder of a charset by its name in a mail; undefined for an unknown one. */
export function decoderOf(charset: string): TextDecoder | undefined {
  if (decoders.has(charset)) return decoders.get(charset);
  const decoder = newDecoder(charset);
  // Hostile mails may have a new name each.
  if (decoders.size < 1000) decoders.set(charset, decoder);
  return decoder;
}

/** True for a charset in which `<`, `>` and quotes are single bytes that are part of nothing else. */
export const hasAscii = ({ encoding }: TextDecoder): boolean =>
  !/^(?:utf-16|iso-2022)/.test(encoding);

function newDecoder(charset: string): TextDecoder | undefined {
  try {
    // Types of runtimes list the names that they know.
    return new TextDecoder(charset as "utf-8");
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
