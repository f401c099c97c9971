import * as v from "valibot";
import { type PriceBook, PriceBookSchema } from "../schemas/price-book.ts";
import { validate } from "../src/issues.ts";
import { parseJson, removeSchemaKey } from "../src/parse-json.ts";
import { describeSystemError } from "../src/text.ts";
import { hostInUrl, isLoopback, ORIGIN_REQUIRED, parseOrigin } from "../src/url.ts";
import {
  type Environment,
  integerVariable,
  onOff,
  optionalVariable,
  patternVariable,
  readConfigFile,
  readVariables,
  webUrl,
  withDefault,
} from "./environment-variables.ts";
import { OperatorError } from "./operator-error.ts";

export type Config = v.InferOutput<typeof ConfigSchema>;

/** @throws {OperatorError} with each wrong variable and what it must be. */
export function readServerConfig(environment: Environment): Config {
  const config = readVariables(ConfigSchema, environment);
  // Otherwise the server would report its own port as taken.
  if (config.METRICS?.port === config.PORT) {
    throw new OperatorError(2, ["METRICS: must not be the same port as PORT"]);
  }
  return config;
}

/** Whether only this machine can reach the server, without a proxy. */
export const isLocalServer = ({ HOST, BASE_URL }: Environment): boolean =>
  isLoopback(hostInUrl(HOST || "localhost")) &&
  (!BASE_URL || isLoopback(new URL(BASE_URL).hostname));

/** @throws {OperatorError} for an unreadable or invalid price book. */
export function readPriceBook({ PRICE_BOOK: file }: Environment): PriceBook | undefined {
  if (!file) return undefined;
  try {
    return validate(PriceBookSchema, removeSchemaKey(parseJson(readConfigFile(file))));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const lines = (describeSystemError(error) ?? reason).split("\n");
    const problems = lines.map((line) => `PRICE_BOOK: ${file}: ${line}`);
    throw new OperatorError(2, problems);
  }
}

/** Normalises an origin as browsers send it. */
const origin = v.pipe(
  webUrl,
  v.check((url) => parseOrigin(url) !== undefined, ORIGIN_REQUIRED),
  v.transform((url) => new URL(url).origin),
);

/** `PORT` on loopback, or `HOST:PORT` with an IPv6 address in brackets. */
const metricsAddress = v.pipe(
  patternVariable(
    /^(?:off|(?:(?:\[[\da-f:.]+\]|[^\s:/[\]]+):)?[1-9]\d{0,4})$/i,
    "must be a port from 1 to 65535, or HOST:PORT, or off",
  ),
  v.transform((value) => {
    if (value === "off") return undefined;
    const [, hostname = "127.0.0.1", port] = /^(?:\[?(.+?)\]?:)?(\d+)$/.exec(value) ?? [];
    return { hostname, port: Number(port) };
  }),
);

/** The variables of the server, in the order of the documentation. */
export const ConfigSchema = v.object({
  PORT: withDefault(
    "3000",
    integerVariable(0, 65_535),
    "The port to listen on. 0 chooses a free one.",
  ),
  HOST: withDefault(
    "127.0.0.1",
    patternVariable(/^\S+$/, "must be a host name or an IP address"),
    "The host to listen on. 0.0.0.0 is every IPv4 address of the machine.",
  ),
  BASE_URL: optionalVariable(
    origin,
    "The site's origin, such as https://tools.example.com, for absolute URLs and the Origin check.",
    "http://localhost:<port>",
  ),
  LOG: withDefault(
    "json",
    v.picklist(["json", "off"], "must be json or off"),
    "json: a line per API request, without query, IP address or body. off: only errors and warnings.",
  ),
  METRICS: withDefault(
    "off",
    metricsAddress,
    "Where Prometheus can GET /metrics: PORT for loopback, HOST:PORT, or off.",
  ),
  DRAIN_MS: withDefault(
    "300",
    integerVariable(0, 600_000),
    "How long /readyz returns 503 before shutdown closes the port, in milliseconds. Load balancers need this time.",
  ),
  MCP: withDefault("on", onOff, "off: no /mcp, and no mention of it."),
  SIGNUP: withDefault(
    "on",
    onOff,
    "off: no signup form, no /api/beta-signup and no database. The other signup variables are ignored.",
  ),
  NPM_PACKAGE: optionalVariable(
    patternVariable(
      /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/,
      "must be the name of an npm package, such as handtools",
    ),
    "The name of the published package. Pages show npx commands only if it is set.",
  ),
  SOURCE_URL: optionalVariable(webUrl, "The source code of this site, linked in the footer."),
  SERVICE_ID: optionalVariable(v.string(), "The optional field serviceId of the health check."),
  SERVICE_DESCRIPTION: optionalVariable(
    v.string(),
    "The optional field description of the health check.",
  ),
});
