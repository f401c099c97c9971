const TURNSTILE = "https://challenges.cloudflare.com";

/**
 * What a page may load: its own files and nothing inline. Only a signup form with Turnstile asks a
 * third party, whose widget is a frame.
 */
export const contentSecurityPolicy = (hasTurnstile: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${hasTurnstile ? ` ${TURNSTILE}` : ""}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    ...(hasTurnstile ? [`frame-src ${TURNSTILE}`] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
