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

/**
 * Reads the server's own configuration.
 *
 * @throws {OperatorError} with each variable that is wrong and what it must be.
 */
export function readServerConfig(environment: Environment): Config {
  const config = readVariables(ConfigSchema, environment);
  // Otherwise the server would report its own port as taken.
  if (config.METRICS?.port === config.PORT) {
    throw new OperatorError(2, ["METRICS: must not be the same port as PORT"]);
  }
  return config;
}

/** True when only this machine reaches the server, and no proxy gives it a name. */
export const isLocalServer = ({ HOST, BASE_URL }: Environment): boolean =>
  isLoopback(hostInUrl(HOST || "localhost")) &&
  (!BASE_URL || isLoopback(new URL(BASE_URL).hostname));

/**
 * The operator's prices, from the file that `PRICE_BOOK` names.
 *
 * @throws {OperatorError} for a file that is unreadable or no price book.
 */
export function readPriceBook({ PRICE_BOOK: file }: Environment): PriceBook | undefined {
  if (!file) return undefined;
  try {
    return validate(PriceBookSchema, removeSchemaKey(parseJson(readConfigFile(file))));
  } catch (error) {
    // One line for each problem of the book.
    const text =
      describeSystemError(error) ?? (error instanceof Error ? error.message : String(error));
    const lines = text.split("\n");
    throw new OperatorError(
      2,
      lines.map((line) => `PRICE_BOOK: ${file}: ${line}`),
    );
  }
}

/** An origin in the form that browsers send, for absolute URLs and the Origin check. */
const origin = v.pipe(
  webUrl,
  v.check((text) => parseOrigin(text) !== undefined, ORIGIN_REQUIRED),
  v.transform((text) => new URL(text).origin),
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
    patternVariable(/^\S+$/, "must be a host name or address"),
    "The address to listen on. 0.0.0.0 is every IPv4 address of the machine.",
  ),
  BASE_URL: optionalVariable(
    origin,
    "The site's own origin, such as https://tools.example.com, for every absolute URL and the Origin check.",
    "http://localhost:<port>",
  ),
  LOG: withDefault(
    "json",
    v.picklist(["json", "off"], "must be json or off"),
    "json: a line for each API request, without query, address or body. off: only errors and warnings.",
  ),
  METRICS: withDefault(
    "off",
    metricsAddress,
    "A port for Prometheus, GET /metrics: PORT on loopback, HOST:PORT elsewhere, or off.",
  ),
  DRAIN_MS: withDefault(
    "300",
    integerVariable(0, 600_000),
    "At a stop, how long /readyz is 503 before the port is closed, in milliseconds. Longer than a balancer needs to see it.",
  ),
  MCP: withDefault("on", onOff, "off: no /mcp, and nothing that leads to it."),
  SIGNUP: withDefault(
    "on",
    onOff,
    "off: no form on any page, no /api/beta-signup and no database. The variables of the signup are not read then.",
  ),
  NPM_PACKAGE: optionalVariable(
    patternVariable(
      /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/,
      "must be the name of an npm package, such as handtools",
    ),
    "The name under which the package is published. Only then do pages show npx commands.",
  ),
  SOURCE_URL: optionalVariable(
    webUrl,
    "The page with the source of this site, linked in the footer.",
  ),
  SERVICE_ID: optionalVariable(v.string(), "The optional field serviceId of the health check."),
  SERVICE_DESCRIPTION: optionalVariable(
    v.string(),
    "The optional field description of the health check.",
  ),
});
