import { randomBytes } from "node:crypto";
import type { BlockList } from "node:net";
import { isLoopbackUrl, readVariables, StartFailure } from "../config.ts";
import { type SignupVariables, VariablesSchema } from "./variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type ChallengeConfig =
  | { readonly kind: "embedded"; readonly secret: string }
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

export interface SignupConfig {
  readonly databaseUrl: string;
  readonly ingestSecrets: readonly string[];
  readonly challenge: ChallengeConfig;
  readonly newsletter: NewsletterConfig;
  readonly proxies: BlockList | undefined;
  /** Signups a minute from one network address. */
  readonly rateLimit: number | undefined;
}

/**
 * Reads what the signup is configured with.
 *
 * @param baseUrl the site's own origin, if it is given.
 * @throws {StartFailure} with each variable that is wrong and what is wanted there.
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
    proxies: variables.TRUSTED_PROXIES,
    rateLimit: variables.RATE_LIMIT,
  };
}

/** Good for one process until it ends: challenges that others made are refused then. */
export const randomSecret = (): string => randomBytes(32).toString("hex");

function challengeOf(variables: SignupVariables, baseUrl: string | undefined): ChallengeConfig {
  const {
    TURNSTILE_SITE_KEY: siteKey,
    TURNSTILE_SECRET_KEY: secret,
    TURNSTILE_VERIFY_URL: verifyUrl,
    TURNSTILE_ALLOW_TEST_KEYS: allowTestKeys,
  } = variables;
  if (siteKey === undefined && secret === undefined) {
    return { kind: "embedded", secret: variables.CHALLENGE_SECRET ?? randomSecret() };
  }
  if (siteKey === undefined || secret === undefined) {
    const missing = siteKey === undefined ? "TURNSTILE_SITE_KEY" : "TURNSTILE_SECRET_KEY";
    throw new StartFailure(2, [`${missing}: is needed too: both keys turn Turnstile on`]);
  }
  if (allowTestKeys && baseUrl !== undefined && !isLoopbackUrl(new URL(baseUrl))) {
    throw new StartFailure(2, [
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
    throw new StartFailure(2, ["LISTMONK_URL: is needed by the other LISTMONK variables"]);
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
  throw new StartFailure(2, [
    "LISTMONK_URL: needs LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID, or LISTMONK_LIST_UUID alone",
  ]);
}
