import fc from "fast-check";

/** Places to cut, as shares of the whole. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

/** Bytes as several packets bring them. */
export function inPieces(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index]));
}

/** Sends pieces, with pauses in which the others can go out. */
export async function sendPieces(
  connection: { send(bytes: Uint8Array): void },
  pieces: readonly Uint8Array[],
): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await Bun.sleep(1);
    if (piece.length > 0) connection.send(piece);
  }
}
