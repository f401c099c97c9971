import * as v from "valibot";
import { isLoopbackUrl } from "../config.ts";
import { parseProxies } from "./client-address.ts";

/** Shorter ones can be guessed or tried out. */
const MIN_SECRET = 32;

const text = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1, "must not be blank")));

/** As a header can carry it. */
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

const secret = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(MIN_SECRET, `must have at least ${MIN_SECRET} characters`),
);

const url = (accepts: (url: URL) => boolean, wanted: string) =>
  v.pipe(
    v.string(),
    v.check((value) => {
      const parsed = URL.parse(value);
      return parsed !== null && accepts(parsed);
    }, wanted),
  );

const isHttp = ({ protocol }: URL): boolean => /^https?:$/.test(protocol);

const wholeNumber = (min: number, max: number) => {
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
export const VariablesSchema = v.object({
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, "must be file:PATH or postgres://…"),
    ),
    "file:handtools.sqlite",
  ),
  SIGNUP_INGEST_SECRET: v.optional(secrets),
  CHALLENGE_SECRET: v.optional(secret),
  TURNSTILE_SITE_KEY: text,
  TURNSTILE_SECRET_KEY: text,
  TURNSTILE_VERIFY_URL: v.optional(
    url(
      (parsed) => parsed.protocol === "https:" || isLoopbackUrl(parsed),
      "must be an https URL, or one of this machine",
    ),
    "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  ),
  TURNSTILE_ALLOW_TEST_KEYS: v.optional(onOff, "off"),
  LISTMONK_URL: v.optional(url(isHttp, "must be an http or https URL")),
  LISTMONK_API_USER: text,
  LISTMONK_API_TOKEN: text,
  LISTMONK_LIST_ID: v.optional(wholeNumber(1, 999_999_999)),
  LISTMONK_LIST_UUID: v.optional(v.pipe(v.string(), v.uuid("must be the UUID of a list"))),
  LISTMONK_PRECONFIRM: v.optional(onOff, "off"),
  LISTMONK_MAX_LOOKUPS: v.optional(wholeNumber(1, 24), "4"),
  TRUSTED_PROXIES: v.optional(
    v.pipe(
      v.string(),
      v.transform(parseProxies),
      v.check((list) => list !== undefined, "must be addresses or networks, such as 10.0.0.0/8"),
    ),
  ),
  RATE_LIMIT: v.optional(wholeNumber(1, 1_000_000)),
});

export type SignupVariables = v.InferOutput<typeof VariablesSchema>;
