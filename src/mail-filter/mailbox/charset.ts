const decoders = new Map<string, TextDecoder | undefined>();

/** The decoder of a charset by its name in a mail; undefined for an unknown one. */
export function decoderOf(charset: string): TextDecoder | undefined {
  if (decoders.has(charset)) return decoders.get(charset);
  const decoder = newDecoder(charset);
  // Hostile mails may have a new name each.
  if (decoders.size < 1000) decoders.set(charset, decoder);
  return decoder;
}

function newDecoder(charset: string): TextDecoder | undefined {
  try {
    // Types of runtimes list the names that they know.
    return new TextDecoder(charset as "utf-8");
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
