import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { variables } from "../../schemas/variables.ts";
import { hostInUrl, isLoopback } from "../../src/url.ts";
import type { Environment } from "../config.ts";
import type { SignupConfig } from "./config.ts";
import type { Newsletter, SignupStore } from "./model.ts";

/** The default of listmonk's connection pool; this many look-ups at a time hang it for good. */
const LISTMONK_POOL = 25;

/** Warns the operator at the start of what works, but not as it should. It never throws. */
export async function startWarnings(
  environment: Environment,
  { challenge, newsletter, rateLimit, proxies }: SignupConfig,
  {
    newsletter: { check },
    store,
  }: { newsletter: Newsletter; store: Pick<SignupStore, "warnings"> },
  workers: number,
  warn: (problem: string) => void,
): Promise<void> {
  if (challenge.kind === "embedded" && !environment.CHALLENGE_SECRET) {
    warn(
      "CHALLENGE_SECRET is not set: a restart, or another server of the site, rejects the challenges that pages have open",
    );
  }
  const { BASE_URL: baseUrl } = environment;
  if (challenge.kind === "embedded" && baseUrl && isPlainAndRemote(baseUrl)) {
    warn(
      "BASE_URL is plain http: browsers solve the challenge only over https and on this machine, so nobody else can sign up; put TLS before the server",
    );
  }
  if (challenge.kind === "turnstile" && challenge.allowTestKeys) {
    warn("TURNSTILE_ALLOW_TEST_KEYS is on: every bot is let in");
  }
  if (newsletter.kind !== "off" && isPlainAndRemote(newsletter.url)) {
    warn(
      "LISTMONK_URL is plain http to another machine: addresses and the token can be read on the way; use https",
    );
  }
  if (newsletter.kind === "api" && newsletter.maxLookups * workers >= LISTMONK_POOL) {
    warn(
      `LISTMONK_MAX_LOOKUPS times ${workers} workers reaches the ${LISTMONK_POOL} connections of listmonk's pool, which can hang it: set it lower`,
    );
  }
  if (rateLimit?.sparesPrivate && !proxies) {
    warn(
      `RATE_LIMIT is not set: an address has ${rateLimit.perMinute} signups a minute, but callers from loopback and private addresses are not counted. Behind a proxy these are all callers: set TRUSTED_PROXIES`,
    );
  }
  for (const problem of store.warnings) warn(problem);
  const problems = await check?.();
  for (const problem of problems ?? []) warn(problem);
}

function isPlainAndRemote(url: string): boolean {
  const parsed = new URL(url);
  return parsed.protocol === "http:" && !isLoopback(parsed.hostname);
}

/** The machine that the server runs on. */
export interface Machine {
  readonly workingDirectory: string;
  /** The user's number, where the system has one. */
  readonly userId: number | undefined;
}

const ROOT = 0;

/** Warns of what the server is started with, whether it has a signup or not. */
export function machineWarnings(
  environment: Environment,
  { workingDirectory, userId }: Machine,
): readonly string[] {
  const warnings: string[] = [];
  if (userId === ROOT) {
    warnings.push("the server runs as root: run it as a user of its own");
  }
  const { HOST: host = "", BASE_URL: baseUrl = "" } = environment;
  if (host !== "" && baseUrl === "" && !isLoopback(hostInUrl(host))) {
    warnings.push(
      "BASE_URL is not set: links lead to localhost, and signups and /mcp are rejected under any other name; set it to the origin that browsers show",
    );
  }
  const unread = unreadVariables(environment, join(workingDirectory, ".env"));
  if (unread.length > 0) {
    warnings.push(
      `.env in the working directory is not read: ${unread.join(", ")} there has no effect; say --env-file .env`,
    );
  }
  return warnings;
}

/** Variables of the server that the file sets and the environment does not have. */
function unreadVariables(environment: Environment, file: string): string[] {
  const names = variables.map(({ name }) => name);
  try {
    const given = parseEnv(readFileSync(file, "utf8"));
    return names.filter((name) => given[name] !== undefined && environment[name] === undefined);
  } catch {
    // No file is the usual case, and one that cannot be read is not ours to judge.
    return [];
  }
}
