import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { isLoopback } from "../../src/url.ts";
import {
  type Environment,
  integerVariable,
  onOff,
  optionalVariable,
  patternVariable,
  readVariables,
  webAddress,
  withDefault,
} from "../environment-variables.ts";
import { OperatorError } from "../operator-error.ts";
import { parseNetworks } from "./client-networks.ts";

export type SignupConfig = ReturnType<typeof readSignupConfig>;

export type NewsletterConfig = NonNullable<SignupConfig["newsletter"]>;

/**
 * Reads the configuration of the signup.
 *
 * @throws {OperatorError} with each variable that is wrong and what is wanted there.
 */
export function readSignupConfig(environment: Environment) {
  const variables = readVariables(VariablesSchema, environment);
  // No other process accepts the challenges that a random secret signs.
  const [secret = randomBytes(32).toString("hex"), oldSecret] = variables.CHALLENGE_SECRET ?? [];
  return {
    databaseUrl: variables.DATABASE_URL,
    ingestSecrets: variables.SIGNUP_INGEST_SECRET ?? [],
    turnstile: readTurnstile(variables, environment),
    /** Signs the embedded challenges, the same in every process that serves the site. */
    secret,
    /** The secret before it, which is still accepted while an operator rotates them. */
    oldSecret,
    newsletter: readNewsletter(variables),
    privacyUrl: variables.PRIVACY_URL,
    perMinute: variables.RATE_LIMIT ?? DEFAULT_RATE,
    /** Without TRUSTED_PROXIES, everybody behind a proxy has the address of the proxy. */
    sparesPrivate: variables.RATE_LIMIT === undefined,
    proxies: variables.TRUSTED_PROXIES,
  };
}

const DEFAULT_RATE = 20;

function readTurnstile(variables: SignupVariables, { BASE_URL }: Environment) {
  const {
    TURNSTILE_SITE_KEY: siteKey,
    TURNSTILE_SECRET_KEY: secret,
    TURNSTILE_VERIFY_URL: verifyUrl,
    TURNSTILE_ALLOW_TEST_KEYS: allowTestKeys,
  } = variables;
  if (siteKey === undefined && secret === undefined) return undefined;
  if (siteKey === undefined || secret === undefined) {
    throw incomplete("TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY");
  }
  if (allowTestKeys && !isLoopback(URL.parse(BASE_URL ?? "")?.hostname ?? "localhost")) {
    throw new OperatorError(2, [
      "TURNSTILE_ALLOW_TEST_KEYS: lets every bot in, so it is for a BASE_URL of this machine only",
    ]);
  }
  return { siteKey, secret, verifyUrl, allowTestKeys };
}

function readNewsletter(variables: SignupVariables) {
  const {
    LISTMONK_URL: url,
    LISTMONK_API_USER: user,
    LISTMONK_API_TOKEN: token,
    LISTMONK_LIST_ID: listId,
    LISTMONK_PRECONFIRM: preconfirm,
    LISTMONK_MAX_SEARCHES: maxSearches,
  } = variables;
  if ([url, user, token, listId].every((value) => value === undefined)) return undefined;
  if (url === undefined || user === undefined || token === undefined || listId === undefined) {
    throw incomplete("LISTMONK_URL, LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID");
  }
  return { url, user, token, listId, preconfirm, maxSearches };
}

const incomplete = (names: string) => new OperatorError(2, [`${names}: set all of them, or none`]);

/**
 * Settings that work badly.
 *
 * @param isPublic true when more than this machine reaches the server.
 */
export function findWeakSettings(
  { CHALLENGE_SECRET, BASE_URL = "" }: Environment,
  { turnstile, newsletter, sparesPrivate, proxies }: SignupConfig,
  isPublic: boolean,
): readonly string[] {
  const found: readonly (readonly [isWeak: boolean, warning: string])[] = [
    [
      isPublic && !turnstile && !CHALLENGE_SECRET,
      "CHALLENGE_SECRET is not set: a restart, or another server of the site, rejects the challenges that pages have open",
    ],
    [
      !turnstile && isPlainAndRemote(BASE_URL),
      "BASE_URL is plain http: browsers solve the challenge only over https and on this machine, so nobody else can sign up; put TLS before the server",
    ],
    [
      isPlainAndRemote(newsletter?.url ?? ""),
      "LISTMONK_URL is plain http to another machine: addresses and the token can be read on the way; use https",
    ],
    [
      isPublic && sparesPrivate && !proxies,
      "Behind a proxy, set TRUSTED_PROXIES; without it no visitor is rate-limited",
    ],
  ];
  return found.filter(([isWeak]) => isWeak).map(([, warning]) => warning);
}

function isPlainAndRemote(url: string): boolean {
  const { protocol, hostname = "" } = URL.parse(url) ?? {};
  return protocol === "http:" && !isLoopback(hostname);
}

const notBlank = v.pipe(v.string(), v.trim(), v.minLength(1, "must not be blank"));

/** One secret, or two while one is replaced. A shorter one than `each` asks for can be guessed. */
const secretList = (each: RegExp, wanted: string) =>
  v.pipe(
    v.string(),
    v.transform((list) => list.split(",").map((secret) => secret.trim())),
    v.check(
      (list) => list.length <= 2 && list.every((secret) => each.test(secret)),
      `must be one secret, or two separated by a comma, of at least 32 ${wanted}`,
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

const RATE_WANTED = "must be a whole number from 1 to 1000000, or off";

/** The variables of the signup, in the order of the documentation. */
export const VariablesSchema = v.object({
  DATABASE_URL: withDefault(
    "file:handtools.sqlite",
    patternVariable(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, "must be file:PATH or postgres://…"),
    "file:PATH for SQLite, or postgres://user:password@host:5432/database.",
  ),
  SIGNUP_INGEST_SECRET: optionalVariable(
    secretList(/^[\x21-\x7e]{32,}$/, "ASCII characters each, without blanks"),
    "Lets your own servers sign people up: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
    "nobody may",
  ),
  CHALLENGE_SECRET: optionalVariable(
    secretList(/^.{32,}$/s, "characters each"),
    "Signs the embedded challenges: at least 32 characters, or two such secrets separated by a comma while one is replaced.",
    "random at every start",
  ),
  TURNSTILE_SITE_KEY: optionalVariable(
    notBlank,
    "Cloudflare Turnstile instead of the embedded challenge. It needs both keys.",
    "the embedded challenge",
  ),
  TURNSTILE_SECRET_KEY: optionalVariable(notBlank, "The secret key of the same Turnstile widget."),
  TURNSTILE_VERIFY_URL: withDefault(
    "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    v.pipe(
      webAddress,
      v.check((url) => !isPlainAndRemote(url), "must be an https URL, or one of this machine"),
    ),
    "The URL that checks Turnstile's tokens. Change it only for development.",
  ),
  TURNSTILE_ALLOW_TEST_KEYS: withDefault(
    "off",
    onOff,
    "For development, with a BASE_URL of this machine only: it lets every bot in.",
  ),
  LISTMONK_URL: optionalVariable(
    listmonkAddress,
    "The listmonk that signups are synced to.",
    "no sync",
  ),
  LISTMONK_API_USER: optionalVariable(
    notBlank,
    "An API user of listmonk. The sync needs this and the two variables that follow.",
  ),
  LISTMONK_API_TOKEN: optionalVariable(notBlank, "The token of this user."),
  LISTMONK_LIST_ID: optionalVariable(integerVariable(1, 999_999_999), "The number of the list."),
  LISTMONK_PRECONFIRM: withDefault("off", onOff, "on: new people count as confirmed."),
  LISTMONK_MAX_SEARCHES: withDefault(
    "4",
    integerVariable(1, 24),
    "Searches in listmonk at a time. Times the number of servers it must stay below 25.",
  ),
  PRIVACY_URL: optionalVariable(
    webAddress,
    "The page about your use of addresses, linked beside the form.",
  ),
  TRUSTED_PROXIES: optionalVariable(
    v.pipe(
      v.string(),
      v.transform(parseNetworks),
      v.check((list) => list !== undefined, "must be addresses or networks, such as 10.0.0.0/8"),
    ),
    "Addresses or networks whose X-Forwarded-For counts, such as 127.0.0.1,::1.",
    "none",
  ),
  RATE_LIMIT: optionalVariable(
    v.union([v.literal("off"), integerVariable(1, 1_000_000, RATE_WANTED)], RATE_WANTED),
    "Signups a minute from one network address, and apart from them challenges, or off.",
    `${DEFAULT_RATE}, but not for callers from loopback and private addresses`,
  ),
});

type SignupVariables = v.InferOutput<typeof VariablesSchema>;
