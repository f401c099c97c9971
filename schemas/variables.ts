/** An environment variable of the server. */
export interface Variable {
  readonly name: string;
  /** What it is, and what it takes. */
  readonly meaning: string;
  /** The value that holds when it is not set. */
  readonly default?: string;
  /** What holds when it is not set, where that is no value. */
  readonly unset?: string;
}

type Meaning = string | readonly [meaning: string, unless: Pick<Variable, "default" | "unset">];

const variablesOf = (meanings: Readonly<Record<string, Meaning>>): readonly Variable[] =>
  Object.entries(meanings).map(([name, meaning]) =>
    typeof meaning === "string" ? { name, meaning } : { name, meaning: meaning[0], ...meaning[1] },
  );

/**
 * Every environment variable of the server by its part, in the order of the documentation. The
 * help, the manual page and `deploy/.env.example` are made of it.
 */
export const variablesByPart: readonly (readonly [part: string, readonly Variable[]])[] = [
  [
    "The server",
    variablesOf({
      PORT: ["Where to listen. 0 takes a free port.", { default: "3000" }],
      HOST: [
        "The address to listen on. 0.0.0.0 takes all of the machine.",
        { default: "127.0.0.1" },
      ],
      BASE_URL: [
        "The site's own origin, such as https://tools.example.com, for every absolute URL and the Origin check.",
        { unset: "http://localhost:<port>" },
      ],
      LOG: [
        "json: a line for each API request, without query, address or body. off: only faults and warnings.",
        { default: "json" },
      ],
      METRICS: [
        "A port for Prometheus, GET /metrics: PORT on loopback, HOST:PORT elsewhere, or off.",
        { default: "off" },
      ],
      DRAIN_MS: [
        "At a stop, how long /readyz is 503 before new connections are refused, in milliseconds. Longer than a balancer needs to see it.",
        { default: "300" },
      ],
      MCP: ["off: no /mcp, and nothing that leads to it.", { default: "on" }],
      SIGNUP: [
        "off: no form on any page, no /api/beta-signup and no database. The variables of the signup are not read then.",
        { default: "on" },
      ],
      NPM_PACKAGE:
        "The name under which the package is published. Only then do pages show npx commands.",
      SOURCE_URL: "The page with the source of this site, linked in the footer.",
      SERVICE_ID: "An optional field of the health check, serviceId.",
      SERVICE_DESCRIPTION: "Another optional field of it, description.",
      WEBMCP_TRIAL_TOKEN: "A browser's token for its trial of WebMCP, sent with every page.",
    }),
  ],
  [
    "The tools",
    variablesOf({
      PRICE_BOOK: [
        "A JSON file with prices, laid out as examples/price-book.json.",
        { unset: "the built-in prices" },
      ],
    }),
  ],
  [
    "The newsletter signup",
    variablesOf({
      DATABASE_URL: [
        "file:PATH for SQLite, or postgres://user:password@host:5432/database.",
        { default: "file:handtools.sqlite" },
      ],
      SIGNUP_INGEST_SECRET: [
        "Lets your own servers sign people up: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
        { unset: "nobody may" },
      ],
      CHALLENGE_SECRET: [
        "Signs the embedded challenges: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
        { unset: "random at every start" },
      ],
      TURNSTILE_SITE_KEY: [
        "Cloudflare Turnstile instead of the embedded challenge. It needs both keys.",
        { unset: "the embedded challenge" },
      ],
      TURNSTILE_SECRET_KEY: "The other key.",
      TURNSTILE_VERIFY_URL: [
        "Where Turnstile's tokens are checked. Another address is for development.",
        { default: "https://challenges.cloudflare.com/turnstile/v0/siteverify" },
      ],
      TURNSTILE_ALLOW_TEST_KEYS: [
        "For development, with a BASE_URL of this machine only: it lets every bot in.",
        { default: "off" },
      ],
      LISTMONK_URL: ["The listmonk that signups are synced to.", { unset: "no sync" }],
      LISTMONK_API_USER:
        "An API user of listmonk. The sync with credentials needs this and the two variables that follow.",
      LISTMONK_API_TOKEN: "The token of this user.",
      LISTMONK_LIST_ID: "The number of the list.",
      LISTMONK_LIST_UUID:
        "The sync through listmonk's public form, without credentials. listmonk 6.2 subscribes people again this way who have unsubscribed.",
      LISTMONK_PRECONFIRM: ["on: new people count as confirmed.", { default: "off" }],
      LISTMONK_MAX_LOOKUPS: [
        "Look-ups in listmonk under way at a time. Times the number of servers it must stay below 25.",
        { default: "4" },
      ],
      PRIVACY_URL: "The page that says what becomes of an address, linked beside the form.",
      TRUSTED_PROXIES: [
        "Addresses or networks whose X-Forwarded-For counts, such as 127.0.0.1,::1.",
        { unset: "none" },
      ],
      RATE_LIMIT: [
        "Signups a minute from one network address, and apart from them challenges, or off.",
        { unset: "20, but not for callers from loopback and private addresses" },
      ],
    }),
  ],
];

export const variables: readonly Variable[] = variablesByPart.flatMap(([, part]) => part);

/** Its meaning, and what holds when it is not set. */
export function explained({ meaning, default: value, unset }: Variable): string {
  if (value !== undefined) return `${meaning} Default: ${value}.`;
  return unset === undefined ? meaning : `${meaning} Not set: ${unset}.`;
}
