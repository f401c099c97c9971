import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { isLoopback } from "../../src/url.ts";
import {
  type Environment,
  onOff,
  readVariables,
  StartupError,
  webAddress,
  wholeNumber,
  withMeaning,
} from "../config.ts";
import { type AddressList, networks } from "./callers.ts";

export interface SignupConfig {
  readonly databaseUrl: string;
  readonly ingestSecrets: readonly string[];
  readonly challenge: ChallengeConfig;
  readonly newsletter: NewsletterConfig;
  /** The page about the site's use of addresses. */
  readonly privacyUrl: string | undefined;
  readonly proxies: AddressList | undefined;
  /** Signups, and apart from them challenges, a minute from one network address. */
  readonly rateLimit: { readonly perMinute: number; readonly sparesPrivate: boolean } | undefined;
  /** Hides network addresses where they are counted. */
  readonly rateSecret: string;
}

type ChallengeConfig =
  | {
      readonly kind: "embedded";
      readonly secret: string;
      /** No longer signs, but is still accepted. */
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
const randomSecret = (): string => randomBytes(32).toString("hex");

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

const text = v.pipe(v.string(), v.trim(), v.minLength(1, "must not be blank"));

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

/** Where listmonk itself is: paths of its API are put behind it, and its own credentials sent. */
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

/** The variables of the signup, each by itself, in the order of the documentation. */
export const VariablesSchema = v.object({
  DATABASE_URL: v.optional(
    withMeaning(
      v.pipe(
        v.string(),
        v.regex(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, "must be file:PATH or postgres://…"),
      ),
      "file:PATH for SQLite, or postgres://user:password@host:5432/database.",
    ),
    "file:handtools.sqlite",
  ),
  SIGNUP_INGEST_SECRET: v.optional(
    withMeaning(
      secretList(/^[\x21-\x7e]+$/, "ASCII characters each, without blanks"),
      "Lets your own servers sign people up: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
      "nobody may",
    ),
  ),
  CHALLENGE_SECRET: v.optional(
    withMeaning(
      secretList(/./, "characters each"),
      "Signs the embedded challenges: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
      "random at every start",
    ),
  ),
  TURNSTILE_SITE_KEY: v.optional(
    withMeaning(
      text,
      "Cloudflare Turnstile instead of the embedded challenge. It needs both keys.",
      "the embedded challenge",
    ),
  ),
  TURNSTILE_SECRET_KEY: v.optional(withMeaning(text, "The other key.")),
  TURNSTILE_VERIFY_URL: v.optional(
    withMeaning(
      httpsOrLoopback,
      "The URL that checks Turnstile's tokens. Change it only for development.",
    ),
    "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  ),
  TURNSTILE_ALLOW_TEST_KEYS: v.optional(
    withMeaning(
      onOff,
      "For development, with a BASE_URL of this machine only: it lets every bot in.",
    ),
    "off",
  ),
  LISTMONK_URL: v.optional(
    withMeaning(listmonkAddress, "The listmonk that signups are synced to.", "no sync"),
  ),
  LISTMONK_API_USER: v.optional(
    withMeaning(
      text,
      "An API user of listmonk. The sync with credentials needs this and the two variables that follow.",
    ),
  ),
  LISTMONK_API_TOKEN: v.optional(withMeaning(text, "The token of this user.")),
  LISTMONK_LIST_ID: v.optional(withMeaning(wholeNumber(1, 999_999_999), "The number of the list.")),
  LISTMONK_LIST_UUID: v.optional(
    withMeaning(
      v.pipe(v.string(), v.uuid("must be the UUID of a list")),
      "The sync through listmonk's public form, without credentials. listmonk 6.2 subscribes people again this way who have unsubscribed.",
    ),
  ),
  LISTMONK_PRECONFIRM: v.optional(withMeaning(onOff, "on: new people count as confirmed."), "off"),
  LISTMONK_MAX_LOOKUPS: v.optional(
    withMeaning(
      wholeNumber(1, 24),
      "Look-ups in listmonk under way at a time. Times the number of servers it must stay below 25.",
    ),
    "4",
  ),
  PRIVACY_URL: v.optional(
    withMeaning(webAddress, "The page about your use of addresses, linked beside the form."),
  ),
  TRUSTED_PROXIES: v.optional(
    withMeaning(
      v.pipe(
        v.string(),
        v.transform(networks),
        v.check((list) => list !== undefined, "must be addresses or networks, such as 10.0.0.0/8"),
      ),
      "Addresses or networks whose X-Forwarded-For counts, such as 127.0.0.1,::1.",
      "none",
    ),
  ),
  RATE_LIMIT: v.optional(
    withMeaning(
      v.union([v.literal("off"), wholeNumber(1, 1_000_000, RATE)], RATE),
      "Signups a minute from one network address, and apart from them challenges, or off.",
      `${DEFAULT_RATE}, but not for callers from loopback and private addresses`,
    ),
  ),
});

type SignupVariables = v.InferOutput<typeof VariablesSchema>;
