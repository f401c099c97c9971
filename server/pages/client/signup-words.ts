import type { Accepted, Failure } from "./signup-post.ts";

const KEPT = "What you typed is still here.";

/** What is said of a signup that the server took. */
export const thanksWords = ({ isSynced }: Accepted): string =>
  isSynced
    ? "Thank you, your address is saved. Check your inbox: if a mail asks you to confirm it, follow its link."
    : "Thank you, your address is saved. The newsletter could not be told yet, so a mail to confirm it may come later.";

/**
 * What is said when it did not work, and what to do.
 *
 * @param site the address at which the site takes signups.
 */
export function failureWords({ code, retryAfter }: Failure, site: string): string {
  switch (code) {
    case "invalid_request":
      return "The server does not take the address or the name as it is. Look at them again, then try once more.";
    case "verification_failed":
      return `The check that you are a person failed twice. Wait a moment, then try again. ${KEPT}`;
    case "origin_rejected":
      return `Signing up works only where this site is at home. Open ${site} and try there.`;
    case "payload_too_large":
      return "That is more than the server takes. Shorten what you typed, then try again.";
    case "rate_limited":
      return `Many have just signed up from where you are. Try again ${waitWords(retryAfter)}. ${KEPT}`;
    case "internal_error":
      return `The server could not save it, and nothing is recorded. Try again in a minute. ${KEPT}`;
    case "no_challenge":
      return `The check that you are a person cannot be loaded or done. Look at your connection, then try again. ${KEPT}`;
    case "no_answer":
      return "The server has not answered in time, and may have saved it or not. To try again does no harm.";
    case "unreachable":
      return `The server cannot be reached. Look at your connection, then try again. ${KEPT}`;
    default:
      return `The server gave an answer that this page does not know. Try again in a minute. ${KEPT}`;
  }
}

function waitWords(retryAfter: string | undefined): string {
  const seconds = Number(retryAfter);
  return seconds > 1 ? `in ${seconds} seconds` : "in a moment";
}
