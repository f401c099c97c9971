import { randomBytes } from "node:crypto";
import type { BlockList } from "node:net";
import * as v from "valibot";
import { isLoopback } from "../../src/url.ts";
import { type Environment, readVariables, StartupError, webAddress } from "../config.ts";
import { networks } from "./callers.ts";

export interface SignupConfig {
  readonly databaseUrl: string;
  readonly ingestSecrets: readonly string[];
  readonly challenge: ChallengeConfig;
  readonly newsletter: NewsletterConfig;
  /** Where the site says what it does with addresses. */
  readonly privacyUrl: string | undefined;
  readonly proxies: BlockList | undefined;
  /** Signups, and apart from them challenges, a minute from one network address. */
  readonly rateLimit: { readonly perMinute: number; readonly sparesPrivate: boolean } | undefined;
  /** Hides network addresses where they are counted. */
  readonly rateSecret: string;
}

type ChallengeConfig =
  | {
      readonly kind: "embedded";
      readonly secret: string;
      /** Signs no more, and is still accepted. */
      readonly oldSecret: string | undefined;
    }
  | {
      readonly kind: "turnstile";
      readonly siteKey: string;
      readonly secret: string;
      readonly verifyUrl: string;
      readonly allowTestKeys: boolean;
    };

export type NewsletterConfig =
  | { readonly kind: "off" }
  | { readonly kind: "public"; readonly url: string; readonly listUuid: string }
  | {
      readonly kind: "api";
      readonly url: string;
      readonly user: string;
      readonly token: string;
      readonly listId: number;
      readonly preconfirm: boolean;
      readonly maxLookups: number;
    };

/**
 * Reads the configuration of the signup.
 *
 * @param baseUrl the site's own origin, if it is set.
 * @throws {StartupError} with each variable that is wrong and what is wanted there.
 */
export function readSignupConfig(
  environment: Environment,
  baseUrl: string | undefined,
): SignupConfig {
  const variables = readVariables(VariablesSchema, environment);
  return {
    databaseUrl: variables.DATABASE_URL,
    ingestSecrets: variables.SIGNUP_INGEST_SECRET ?? [],
    challenge: challengeOf(variables, baseUrl),
    newsletter: newsletterOf(variables),
    privacyUrl: variables.PRIVACY_URL,
    proxies: variables.TRUSTED_PROXIES,
    rateLimit: rateLimitOf(variables),
    rateSecret: variables.CHALLENGE_SECRET?.[0] ?? randomSecret(),
  };
}

/** Valid until the process ends: another process rejects the challenges that it signs. */
export const randomSecret = (): string => randomBytes(32).toString("hex");

/** Behind a proxy that is not named everybody has its address, so unset it spares such callers. */
function rateLimitOf({ RATE_LIMIT: limit }: SignupVariables): SignupConfig["rateLimit"] {
  if (limit === "off") return undefined;
  return { perMinute: limit ?? DEFAULT_RATE, sparesPrivate: limit === undefined };
}

const DEFAULT_RATE = 20;

function challengeOf(variables: SignupVariables, baseUrl: string | undefined): ChallengeConfig {
  const {
    TURNSTILE_SITE_KEY: siteKey,
    TURNSTILE_SECRET_KEY: secret,
    TURNSTILE_VERIFY_URL: verifyUrl,
    TURNSTILE_ALLOW_TEST_KEYS: allowTestKeys,
  } = variables;
  if (siteKey === undefined && secret === undefined) {
    const [secret = randomSecret(), oldSecret] = variables.CHALLENGE_SECRET ?? [];
    return { kind: "embedded", secret, oldSecret };
  }
  if (siteKey === undefined || secret === undefined) {
    const missing = siteKey === undefined ? "TURNSTILE_SITE_KEY" : "TURNSTILE_SECRET_KEY";
    throw new StartupError(2, [`${missing}: is needed too: both keys turn Turnstile on`]);
  }
  if (allowTestKeys && baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname)) {
    throw new StartupError(2, [
      "TURNSTILE_ALLOW_TEST_KEYS: lets every bot in, so it is for a BASE_URL of this machine only",
    ]);
  }
  return { kind: "turnstile", siteKey, secret, verifyUrl, allowTestKeys };
}

function newsletterOf(variables: SignupVariables): NewsletterConfig {
  const {
    LISTMONK_URL: url,
    LISTMONK_API_USER: user,
    LISTMONK_API_TOKEN: token,
    LISTMONK_LIST_ID: listId,
    LISTMONK_LIST_UUID: listUuid,
  } = variables;
  const credentials = [user, token, listId];
  const given = credentials.filter((value) => value !== undefined).length;
  if (url === undefined) {
    if (given === 0 && listUuid === undefined) return { kind: "off" };
    throw new StartupError(2, ["LISTMONK_URL: is needed by the other LISTMONK variables"]);
  }
  if (user !== undefined && token !== undefined && listId !== undefined) {
    return {
      kind: "api",
      url,
      user,
      token,
      listId,
      preconfirm: variables.LISTMONK_PRECONFIRM,
      maxLookups: variables.LISTMONK_MAX_LOOKUPS,
    };
  }
  if (given === 0 && listUuid !== undefined) return { kind: "public", url, listUuid };
  throw new StartupError(2, [
    "LISTMONK_URL: needs LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID, or LISTMONK_LIST_UUID alone",
  ]);
}

/** A shorter secret can be guessed. */
const MIN_SECRET = 32;

const text = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1, "must not be blank")));

/** A secret that a header can carry. */
const isBearer = (secret: string): boolean =>
  secret.length >= MIN_SECRET && /^[\x21-\x7e]+$/.test(secret);

const secrets = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").map((secret) => secret.trim())),
  v.check(
    (list) => list.length <= 2 && list.every(isBearer),
    `must be one secret, or two separated by a comma, of at least ${MIN_SECRET} ASCII characters each, without blanks`,
  ),
);

const challengeSecrets = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").map((secret) => secret.trim())),
  v.check(
    (list) => list.length <= 2 && list.every((secret) => secret.length >= MIN_SECRET),
    `must be one secret, or two separated by a comma, of at least ${MIN_SECRET} characters each`,
  ),
);

const httpsOrLoopback = v.pipe(
  v.string(),
  v.check((value) => {
    const { protocol, hostname = "" } = URL.parse(value) ?? {};
    return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  }, "must be an https URL, or one of this machine"),
);

const integer = (min: number, max: number) => {
  const wanted = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, wanted),
    v.transform(Number),
    v.minValue(min, wanted),
    v.maxValue(max, wanted),
  );
};

const onOff = v.pipe(
  v.picklist(["1", "true", "on", "0", "false", "off"], "must be on or off"),
  v.transform((value) => ["1", "true", "on"].includes(value)),
);

/** The environment variables of the signup, each by itself. */
const VariablesSchema = v.object({
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, "must be file:PATH or postgres://…"),
    ),
    "file:handtools.sqlite",
  ),
  SIGNUP_INGEST_SECRET: v.optional(secrets),
  CHALLENGE_SECRET: v.optional(challengeSecrets),
  TURNSTILE_SITE_KEY: text,
  TURNSTILE_SECRET_KEY: text,
  TURNSTILE_VERIFY_URL: v.optional(
    httpsOrLoopback,
    "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  ),
  TURNSTILE_ALLOW_TEST_KEYS: v.optional(onOff, "off"),
  LISTMONK_URL: v.optional(webAddress),
  LISTMONK_API_USER: text,
  LISTMONK_API_TOKEN: text,
  LISTMONK_LIST_ID: v.optional(integer(1, 999_999_999)),
  LISTMONK_LIST_UUID: v.optional(v.pipe(v.string(), v.uuid("must be the UUID of a list"))),
  LISTMONK_PRECONFIRM: v.optional(onOff, "off"),
  LISTMONK_MAX_LOOKUPS: v.optional(integer(1, 24), "4"),
  PRIVACY_URL: v.optional(webAddress),
  TRUSTED_PROXIES: v.optional(
    v.pipe(
      v.string(),
      v.transform(networks),
      v.check((list) => list !== undefined, "must be addresses or networks, such as 10.0.0.0/8"),
    ),
  ),
  RATE_LIMIT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:off|[1-9]\d{0,5}|1000000)$/, "must be a whole number from 1 to 1000000, or off"),
      v.transform((value) => (value === "off" ? value : Number(value))),
    ),
  ),
});

/** The names of the variables above. */
export const SIGNUP_VARIABLES = Object.keys(VariablesSchema.entries);

type SignupVariables = v.InferOutput<typeof VariablesSchema>;
