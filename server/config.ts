import * as v from "valibot";

/** Why the server does not start: one line per problem, for the operator. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  /** 1: something outside failed, such as a port; 2: a wrong configuration. */
  readonly exitCode: 1 | 2;
  readonly problems: readonly string[];

  constructor(exitCode: 1 | 2, problems: readonly string[]) {
    super(problems.join("\n"));
    this.exitCode = exitCode;
    this.problems = problems;
  }
}

/**
 * Reads variables of the environment; an empty one counts as none. Values are never shown, since
 * some are secrets.
 *
 * @throws {StartupError} with each variable that is wrong and what is wanted there.
 */
export function readVariables<Schema extends v.GenericSchema>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): v.InferOutput<Schema> {
  const given = Object.entries(environment).filter(([, value]) => value !== "");
  const parsed = v.safeParse(schema, Object.fromEntries(given), { abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  throw new StartupError(
    2,
    parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
  );
}

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, "must be a port from 0 to 65535"),
  v.transform(Number),
  v.maxValue(65_535, "must be a port from 0 to 65535"),
);

/** An origin without a path: absolute URLs and the Origin check are built from it. */
const origin = v.pipe(
  v.string(),
  v.check(isOrigin, "must be an origin without a path, such as https://tools.example.com"),
  v.transform((text) => new URL(text).origin),
);

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)
  );
}

const ConfigSchema = v.object({
  PORT: v.optional(port, "3000"),
  HOST: v.optional(
    v.pipe(v.string(), v.regex(/^\S+$/, "must be a host name or address")),
    "127.0.0.1",
  ),
  BASE_URL: v.optional(origin),
  LOG: v.optional(v.picklist(["json", "off"], "must be json or off"), "json"),
  SERVICE_ID: v.optional(v.string()),
  SERVICE_DESCRIPTION: v.optional(v.string()),
  WEBMCP_TRIAL_TOKEN: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[A-Za-z0-9+/=]+$/, "must be a token of an origin trial, in base64"),
    ),
  ),
});

export type Config = v.InferOutput<typeof ConfigSchema>;

/**
 * Reads the configuration of the server itself.
 *
 * @throws {StartupError} with each variable that is wrong and what is wanted there.
 */
export const readConfig = (environment: Environment): Config =>
  readVariables(ConfigSchema, environment);

/** Whether a URL leads to this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
