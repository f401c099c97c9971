import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { isLoopback } from "../../src/url.ts";
import { OperatorError } from "../operator-error.ts";
import {
  type Environment,
  onOff,
  optional,
  readVariables,
  textLike,
  webAddress,
  wholeNumber,
  withDefault,
} from "../variables.ts";
import { parseNetworks } from "./callers.ts";

export type SignupConfig = ReturnType<typeof readSignupConfig>;

export type NewsletterConfig = NonNullable<SignupConfig["newsletter"]>;

/**
 * Reads the configuration of the signup.
 *
 * @param baseUrl the site's own origin, if it is set.
 * @throws {OperatorError} with each variable that is wrong and what is wanted there.
 */
export function readSignupConfig(environment: Environment, baseUrl: string | undefined) {
  const variables = readVariables(VariablesSchema, environment);
  return {
    databaseUrl: variables.DATABASE_URL,
    ingestSecrets: variables.SIGNUP_INGEST_SECRET ?? [],
    challenge: readChallenge(variables, baseUrl),
    newsletter: readNewsletter(variables),
    privacyUrl: variables.PRIVACY_URL,
    proxies: variables.TRUSTED_PROXIES,
    rateLimit: readRateLimit(variables),
    /** Hides network addresses where they are counted. */
    rateSecret: variables.CHALLENGE_SECRET?.[0] ?? randomSecret(),
  };
}

/** A secret of this process: no other process accepts the challenges that it signs. */
const randomSecret = (): string => randomBytes(32).toString("hex");

/**
 * The limit; unset, it spares private addresses: without TRUSTED_PROXIES, everybody behind a proxy has
 * the address of the proxy.
 */
function readRateLimit({ RATE_LIMIT: limit }: SignupVariables) {
  if (limit === "off") return undefined;
  return { perMinute: limit ?? DEFAULT_RATE, sparesPrivate: limit === undefined };
}

const DEFAULT_RATE = 20;

function readChallenge(variables: SignupVariables, baseUrl: string | undefined) {
  const {
    TURNSTILE_SITE_KEY: siteKey,
    TURNSTILE_SECRET_KEY: secret,
    TURNSTILE_VERIFY_URL: verifyUrl,
    TURNSTILE_ALLOW_TEST_KEYS: allowTestKeys,
  } = variables;
  if (siteKey === undefined && secret === undefined) {
    const [secret = randomSecret(), oldSecret] = variables.CHALLENGE_SECRET ?? [];
    // The old secret no longer signs, but is still accepted.
    return { kind: "embedded" as const, secret, oldSecret };
  }
  if (siteKey === undefined || secret === undefined) {
    const missing = siteKey === undefined ? "TURNSTILE_SITE_KEY" : "TURNSTILE_SECRET_KEY";
    throw new OperatorError(2, [`${missing}: is needed too: both keys turn Turnstile on`]);
  }
  if (allowTestKeys && baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname)) {
    throw new OperatorError(2, [
      "TURNSTILE_ALLOW_TEST_KEYS: lets every bot in, so it is for a BASE_URL of this machine only",
    ]);
  }
  return { kind: "turnstile" as const, siteKey, secret, verifyUrl, allowTestKeys };
}

/** @returns undefined without a newsletter. */
function readNewsletter(variables: SignupVariables) {
  const {
    LISTMONK_URL: url,
    LISTMONK_API_USER: user,
    LISTMONK_API_TOKEN: token,
    LISTMONK_LIST_ID: listId,
    LISTMONK_PRECONFIRM: preconfirm,
    LISTMONK_MAX_LOOKUPS: maxLookups,
  } = variables;
  if (url === undefined) {
    if (user === undefined && token === undefined && listId === undefined) return undefined;
    throw new OperatorError(2, ["LISTMONK_URL: is needed by the other LISTMONK variables"]);
  }
  if (user !== undefined && token !== undefined && listId !== undefined) {
    return { url, user, token, listId, preconfirm, maxLookups };
  }
  throw new OperatorError(2, [
    "LISTMONK_URL: needs LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID",
  ]);
}

/** A shorter secret can be guessed. */
const MIN_SECRET = 32;

const notBlank = v.pipe(v.string(), v.trim(), v.minLength(1, "must not be blank"));

/**
 * One secret, or two while one is replaced.
 *
 * @param wanted what each must be, in words for the operator.
 */
const secretList = (isFit: RegExp, wanted: string) =>
  v.pipe(
    v.string(),
    v.transform((list) => list.split(",").map((secret) => secret.trim())),
    v.check(
      (list) =>
        list.length <= 2 &&
        list.every((secret) => secret.length >= MIN_SECRET && isFit.test(secret)),
      `must be one secret, or two separated by a comma, of at least ${MIN_SECRET} ${wanted}`,
    ),
  );

/** The address of listmonk: the paths of its API are put after it, and credentials are sent there. */
const listmonkAddress = v.pipe(
  webAddress,
  v.check((text) => {
    const { username, password, pathname } = new URL(text);
    return !/[?#]/.test(text) && username + password === "" && !/\/api\/*$/.test(pathname);
  }, "must be the address of listmonk itself, such as https://lists.example.com: without /api, a query, a fragment, a user or a password"),
);

const httpsOrLoopback = v.pipe(
  v.string(),
  v.check((value) => {
    const { protocol, hostname = "" } = URL.parse(value) ?? {};
    return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  }, "must be an https URL, or one of this machine"),
);

const RATE = "must be a whole number from 1 to 1000000, or off";

/** The variables of the signup, in the order of the documentation. */
export const VariablesSchema = v.object({
  DATABASE_URL: withDefault(
    "file:handtools.sqlite",
    textLike(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, "must be file:PATH or postgres://…"),
    "file:PATH for SQLite, or postgres://user:password@host:5432/database.",
  ),
  SIGNUP_INGEST_SECRET: optional(
    secretList(/^[\x21-\x7e]+$/, "ASCII characters each, without blanks"),
    "Lets your own servers sign people up: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
    "nobody may",
  ),
  CHALLENGE_SECRET: optional(
    secretList(/./, "characters each"),
    "Signs the embedded challenges: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
    "random at every start",
  ),
  TURNSTILE_SITE_KEY: optional(
    notBlank,
    "Cloudflare Turnstile instead of the embedded challenge. It needs both keys.",
    "the embedded challenge",
  ),
  TURNSTILE_SECRET_KEY: optional(notBlank, "The secret key of the same Turnstile widget."),
  TURNSTILE_VERIFY_URL: withDefault(
    "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    httpsOrLoopback,
    "The URL that checks Turnstile's tokens. Change it only for development.",
  ),
  TURNSTILE_ALLOW_TEST_KEYS: withDefault(
    "off",
    onOff,
    "For development, with a BASE_URL of this machine only: it lets every bot in.",
  ),
  LISTMONK_URL: optional(listmonkAddress, "The listmonk that signups are synced to.", "no sync"),
  LISTMONK_API_USER: optional(
    notBlank,
    "An API user of listmonk. The sync needs this and the two variables that follow.",
  ),
  LISTMONK_API_TOKEN: optional(notBlank, "The token of this user."),
  LISTMONK_LIST_ID: optional(wholeNumber(1, 999_999_999), "The number of the list."),
  LISTMONK_PRECONFIRM: withDefault("off", onOff, "on: new people count as confirmed."),
  LISTMONK_MAX_LOOKUPS: withDefault(
    "4",
    wholeNumber(1, 24),
    "Look-ups in listmonk under way at a time. Times the number of servers it must stay below 25.",
  ),
  PRIVACY_URL: optional(
    webAddress,
    "The page about your use of addresses, linked beside the form.",
  ),
  TRUSTED_PROXIES: optional(
    v.pipe(
      v.string(),
      v.transform(parseNetworks),
      v.check((list) => list !== undefined, "must be addresses or networks, such as 10.0.0.0/8"),
    ),
    "Addresses or networks whose X-Forwarded-For counts, such as 127.0.0.1,::1.",
    "none",
  ),
  RATE_LIMIT: optional(
    v.union([v.literal("off"), wholeNumber(1, 1_000_000, RATE)], RATE),
    "Signups a minute from one network address, and apart from them challenges, or off.",
    `${DEFAULT_RATE}, but not for callers from loopback and private addresses`,
  ),
});

type SignupVariables = v.InferOutput<typeof VariablesSchema>;
