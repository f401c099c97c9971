import { attributesOf, type LandingAttributes } from "./attributes.ts";

export interface Accepted {
  readonly ok: true;
  /** Whether the newsletter has the address, too. */
  readonly isSynced: boolean;
}

export interface Failure {
  readonly ok: false;
  /** One of the API's codes, or one of ours. */
  readonly code: string;
  /** Seconds to wait, where the server says so. */
  readonly retryAfter?: string | undefined;
}

export type Answer = Accepted | Failure;

/** The server has deadlines of its own, which together are shorter. */
const DEADLINE_MS = 30_000;

/** Posts a signup. What goes wrong on the way is an answer, too. */
export async function postSignup(signup: object): Promise<Answer> {
  try {
    const response = await fetch("/api/beta-signup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(signup),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return read(response, await response.text());
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return { ok: false, code: isLate ? "no_answer" : "unreachable" };
  }
}

/** What stands between us and the server may answer in its place, with any status and text. */
function read({ headers }: Response, text: string): Answer {
  const answer = parse(text);
  if (answer?.ok === true) return { ok: true, isSynced: answer.listmonk === true };
  return {
    ok: false,
    code: answer?.error?.code ?? "unexpected",
    retryAfter: headers.get("retry-after") ?? undefined,
  };
}

interface Body {
  readonly ok?: unknown;
  readonly listmonk?: unknown;
  readonly error?: { readonly code?: string };
}

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With the name of the site, for all that runs on one `localhost` shares its storage. */
const KEY = "handtools.landing";

/**
 * How this visit began: by the first page that was opened in this tab, whose address the tab keeps
 * until it is closed. No cookie, and nothing is sent but with a signup.
 */
export const landing = (): LandingAttributes => attributesOf(landingUrl());

function landingUrl(): URL {
  const here = new URL(location.href);
  // It may hold an input, and no attribute is read from it.
  here.hash = "";
  try {
    const kept = sessionStorage.getItem(KEY);
    if (kept !== null) return new URL(kept);
    sessionStorage.setItem(KEY, here.href);
  } catch {
    // The browser keeps nothing, or no address, so this page has to pass for the first.
  }
  return here;
}
