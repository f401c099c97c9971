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
  webUrl,
  withDefault,
} from "../environment-variables.ts";
import { OperatorError } from "../operator-error.ts";
import { parseNetworks } from "./client-networks.ts";

export type SignupConfig = ReturnType<typeof readSignupConfig>;

export type NewsletterConfig = NonNullable<SignupConfig["newsletter"]>;

/**
 * Reads the configuration of the signup.
 *
 * @throws {OperatorError} with each wrong variable and what it must be.
 */
export function readSignupConfig(environment: Environment) {
  const variables = readVariables(VariablesSchema, environment);
  // Other processes reject challenges signed with a random secret.
  const [secret = randomBytes(32).toString("hex"), oldSecret] = variables.CHALLENGE_SECRET ?? [];
  return {
    databaseUrl: variables.DATABASE_URL,
    ingestSecrets: variables.SIGNUP_INGEST_SECRET ?? [],
    turnstile: readTurnstile(variables, environment),
    /** Signs the embedded challenges. */
    secret,
    /** The previous secret, still accepted during a rotation. */
    oldSecret,
    newsletter: readNewsletter(variables),
    privacyUrl: variables.PRIVACY_URL,
    perMinute: variables.RATE_LIMIT ?? DEFAULT_RATE,
    /** Without TRUSTED_PROXIES, all visitors behind a proxy share its IP address. */
    exemptsPrivateNetworks: variables.RATE_LIMIT === undefined,
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
    throw incompleteSettingsError("TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY");
  }
  if (allowTestKeys && !isLoopback(URL.parse(BASE_URL ?? "")?.hostname ?? "localhost")) {
    throw new OperatorError(2, [
      "TURNSTILE_ALLOW_TEST_KEYS: must be off unless BASE_URL is on this machine, because it lets every bot in",
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
    throw incompleteSettingsError(
      "LISTMONK_URL, LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID",
    );
  }
  return { url, user, token, listId, preconfirm, maxSearches };
}

const incompleteSettingsError = (names: string) =>
  new OperatorError(2, [`${names}: set all of them, or none`]);

/**
 * Finds settings that work badly.
 *
 * @param isPublic whether other machines can reach the server.
 */
export function* findWeakSettings(
  { CHALLENGE_SECRET, BASE_URL = "" }: Environment,
  { turnstile, newsletter, exemptsPrivateNetworks, proxies }: SignupConfig,
  isPublic: boolean,
): Generator<string> {
  if (isPublic && !turnstile && !CHALLENGE_SECRET)
    yield "CHALLENGE_SECRET is not set: a restart invalidates the challenges of open pages, and so does another server of the site";
  if (!turnstile && isPlainAndRemote(BASE_URL))
    yield "BASE_URL is plain http: browsers solve the challenge only over https or on this machine, so other visitors cannot sign up; put TLS before the server";
  if (isPlainAndRemote(newsletter?.url ?? ""))
    yield "LISTMONK_URL is plain http to another machine: addresses and the token can be read on the way; use https";
  if (isPublic && exemptsPrivateNetworks && !proxies)
    yield "Behind a proxy, set TRUSTED_PROXIES; without it no visitor is rate-limited";
}

function isPlainAndRemote(url: string): boolean {
  const { protocol, hostname = "" } = URL.parse(url) ?? {};
  return protocol === "http:" && !isLoopback(hostname);
}

const notBlank = v.pipe(v.string(), v.trim(), v.minLength(1, "must not be blank"));

/** One secret, or two during a rotation. Shorter secrets can be guessed. */
const secretList = (each: RegExp, wanted: string) =>
  v.pipe(
    v.string(),
    v.transform((list) => list.split(",").map((secret) => secret.trim())),
    v.check(
      (list) => list.length <= 2 && list.every((secret) => each.test(secret)),
      `must be one secret, or two separated by a comma, of at least 32 ${wanted}`,
    ),
  );

/** The base of listmonk's API, to which we send credentials. */
const listmonkUrl = v.pipe(
  webUrl,
  v.check((url) => {
    const { username, password, pathname } = new URL(url);
    return !/[?#]/.test(url) && username + password === "" && !/\/api\/*$/.test(pathname);
  }, "must be the URL of listmonk itself, such as https://lists.example.com: without /api, a query, a fragment, a user or a password"),
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
    "Lets your own servers sign people up: at least 32 characters, or two such secrets separated by a comma during a rotation.",
    "only browsers may",
  ),
  CHALLENGE_SECRET: optionalVariable(
    secretList(/^.{32,}$/s, "characters each"),
    "Signs the embedded challenges: at least 32 characters, or two such secrets separated by a comma during a rotation.",
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
      webUrl,
      v.check((url) => !isPlainAndRemote(url), "must be an https URL, or a URL of this machine"),
    ),
    "The URL that checks Turnstile's tokens. Change it only for development.",
  ),
  TURNSTILE_ALLOW_TEST_KEYS: withDefault(
    "off",
    onOff,
    "on: for development only, with a BASE_URL of this machine, because it lets every bot in.",
  ),
  LISTMONK_URL: optionalVariable(
    listmonkUrl,
    "The listmonk that signups are synced to.",
    "no sync",
  ),
  LISTMONK_API_USER: optionalVariable(
    notBlank,
    "An API user of listmonk. The sync also needs the next two variables.",
  ),
  LISTMONK_API_TOKEN: optionalVariable(notBlank, "The token of this user."),
  LISTMONK_LIST_ID: optionalVariable(integerVariable(1, 999_999_999), "The ID of the list."),
  LISTMONK_PRECONFIRM: withDefault("off", onOff, "on: new people count as confirmed."),
  LISTMONK_MAX_SEARCHES: withDefault(
    "4",
    integerVariable(1, 24),
    "Concurrent searches in listmonk. Multiplied by the number of servers, it must stay below 25.",
  ),
  PRIVACY_URL: optionalVariable(webUrl, "Your privacy policy, linked beside the form."),
  TRUSTED_PROXIES: optionalVariable(
    v.pipe(
      v.string(),
      v.transform(parseNetworks),
      v.check((list) => list !== undefined, "must be IP addresses or networks, such as 10.0.0.0/8"),
    ),
    "IP addresses or networks whose X-Forwarded-For counts, such as 127.0.0.1,::1.",
    "none",
  ),
  RATE_LIMIT: optionalVariable(
    v.union([v.literal("off"), integerVariable(1, 1_000_000, RATE_WANTED)], RATE_WANTED),
    "Signups a minute from one IP address, with challenges counted separately, or off.",
    `${DEFAULT_RATE}, but no limit for loopback and private IP addresses`,
  ),
});

type SignupVariables = v.InferOutput<typeof VariablesSchema>;
