import { Refusal } from "../refusal.ts";
import { readBounded } from "./bounded.ts";

/**
 * Reads a request's body of at most `limit` bytes. A longer one is refused as soon as it shows,
 * by its announced length or while it arrives, so that an endless sender is answered at once.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > limit) throw tooLarge(limit);
  try {
    return announced === null
      ? await readBounded(request.body, limit, () => tooLarge(limit))
      : await request.bytes();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Whoever went away reads no answer, but the log shows that it was no fault of ours.
    throw new Refusal("invalid_request", "the body must be sent to its end");
  }
}

export const tooLarge = (limit: number): Refusal =>
  new Refusal("payload_too_large", `the input may have ${limit} bytes`);
