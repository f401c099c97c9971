import * as v from "valibot";
import { hostInUrl, isLoopback } from "../src/url.ts";
import { OperatorError } from "./operator-error.ts";
import {
  type Environment,
  onOff,
  optional,
  readVariables,
  textLike,
  webAddress,
  wholeNumber,
  withDefault,
} from "./variables.ts";

export type Config = v.InferOutput<typeof ConfigSchema>;

/**
 * Reads the server's own configuration.
 *
 * @throws {OperatorError} with each variable that is wrong and what it must be.
 */
export function readConfig(environment: Environment): Config {
  const config = readVariables(ConfigSchema, environment);
  const { PORT, HOST, METRICS } = config;
  // Otherwise the server would report its own port as taken.
  if (METRICS?.port === PORT && mayBeOneAddress(METRICS.hostname, HOST)) {
    throw new OperatorError(2, ["METRICS: must not be the same port as PORT"]);
  }
  return config;
}

/** True when only this machine reaches the server, and no proxy gives it a name. */
export const isLocal = ({ HOST, BASE_URL }: Environment): boolean =>
  isLoopback(hostInUrl(HOST || "localhost")) &&
  (!BASE_URL || isLoopback(new URL(BASE_URL).hostname));

/** True when two hosts may be one address: the same host, or one of them is every address of the machine. */
function mayBeOneAddress(one: string, other: string): boolean {
  const hosts = [hostInUrl(one), hostInUrl(other)];
  return hosts[0] === hosts[1] || hosts.includes("0.0.0.0") || hosts.includes("[::]");
}

/** An origin in the form that browsers send, for absolute URLs and the Origin check. */
const origin = v.pipe(
  v.string(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const url = URL.parse(value);
    const isOfWeb = url !== null && /^https?:$/.test(url.protocol);
    if (isOfWeb && url.href === `${url.origin}/`) return url.origin;
    const example = isOfWeb ? url.origin : "https://tools.example.com";
    addIssue({ message: `must be an origin without a path, such as ${example}` });
    return NEVER;
  }),
);

const METRICS_ADDRESS = /^(?:(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):)?([1-9]\d{0,4})$/i;

/** `PORT` on loopback, or `HOST:PORT` with an IPv6 address in brackets. */
const metricsAddress = v.pipe(
  v.string(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    if (value === "off") return undefined;
    const [, ipv6, host, number] = METRICS_ADDRESS.exec(value) ?? [];
    if (number !== undefined && Number(number) <= 65_535) {
      return { hostname: ipv6 ?? host ?? "127.0.0.1", port: Number(number) };
    }
    addIssue({ message: "must be a port from 1 to 65535, or HOST:PORT, or off" });
    return NEVER;
  }),
);

/** The variables of the server, in the order of the documentation. */
export const ConfigSchema = v.object({
  PORT: withDefault("3000", wholeNumber(0, 65_535), "The port to listen on. 0 chooses a free one."),
  HOST: withDefault(
    "127.0.0.1",
    textLike(/^\S+$/, "must be a host name or address"),
    "The address to listen on. 0.0.0.0 is every IPv4 address of the machine.",
  ),
  BASE_URL: optional(
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
    wholeNumber(0, 600_000),
    "At a stop, how long /readyz is 503 before the port is closed, in milliseconds. Longer than a balancer needs to see it.",
  ),
  MCP: withDefault("on", onOff, "off: no /mcp, and nothing that leads to it."),
  SIGNUP: withDefault(
    "on",
    onOff,
    "off: no form on any page, no /api/beta-signup and no database. The variables of the signup are not read then.",
  ),
  NPM_PACKAGE: optional(
    textLike(
      /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/,
      "must be the name of an npm package, such as handtools",
    ),
    "The name under which the package is published. Only then do pages show npx commands.",
  ),
  SOURCE_URL: optional(webAddress, "The page with the source of this site, linked in the footer."),
  SERVICE_ID: optional(v.string(), "The optional field serviceId of the health check."),
  SERVICE_DESCRIPTION: optional(v.string(), "The optional field description of the health check."),
});
