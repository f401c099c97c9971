/** How a signup was answered. */
export interface Answer {
  readonly email: string;
  /** Of performance.now(). */
  readonly sentAt: number;
  readonly ms: number;
  /** Status and body, such as SYNCED; or why there is none. */
  readonly outcome: string;
  /** The id under which a fault is logged. */
  readonly requestId: string | null;
}

export const SYNCED = '200 {"ok":true,"listmonk":true}';
export const NOT_SYNCED = '200 {"ok":true,"listmonk":false}';
export const FAILED = '500 {"error":{"code":"internal_error","message":"Request rejected"}}';

/** Asks on a connection of its own, and never throws. */
export async function outcomeOf(
  url: string,
  init: RequestInit | undefined,
  patienceMs: number,
): Promise<Pick<Answer, "outcome" | "requestId">> {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(url, { ...init, signal, keepalive: false });
    const outcome = `${response.status} ${await response.text()}`;
    return { outcome, requestId: response.headers.get("x-request-id") };
  } catch (error) {
    return { outcome: codeOf(error), requestId: null };
  }
}

/** Such as ConnectionRefused. */
const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : String(error);
