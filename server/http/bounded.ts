/**
 * Reads a body of at most `limit` bytes.
 *
 * @param tooLong makes the error for a longer one, which is thrown as soon as it shows.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
