import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { readServerConfig } from "../../server/config.ts";
import { HttpError } from "../../server/http/http-error.ts";
import type { Service } from "../../server/service.ts";
import { type SignupService, serverCallerTest } from "../../server/signup/open-signup.ts";
import { readDocument } from "../support/openapi.ts";
import { altcha } from "./support/altcha.ts";
import { answersOf } from "./support/documented.ts";
import { shownPage } from "./support/forms.ts";
import { exchange, type RawResponse } from "./support/http.ts";
import { BASE_URL, runningServer } from "./support/servers.ts";
import { newsletterThat, signupPorts, signupSite } from "./support/signup.ts";

/*
 * Runs the requests in test/requests/*.http:
 *
 *     ### the title of the case
 *     POST /api/tools/mcp-config-generator
 *     Accept: text/html
 *     {"name":"the body","command":"follows the headers"}
 *     > 400 data cors invalid_request: the status, names of headers.txt, and the error
 *     > allow: other headers, then the body
 *
 * A table has `<value>` in its request, and a row for each value:
 *
 *     | the title, if it needs one | the value or <empty> => 200 data | the body
 *
 * `<200 ab>` is "ab" 200 times, `<hex E9>` these bytes, and `<etag>` the tag of a first response.
 * A target is percent-encoded where a browser would do it. A body is JSON, and a POST to /mcp
 * accepts what MCP asks for, unless a header says otherwise or `# without: Content-Type` leaves it
 * out. `# revision: 2026-07-28` adds the headers and `_meta` of that revision of MCP.
 * Each GET is repeated as HEAD, and responses of the API are compared with the OpenAPI document.
 * UPDATE_GOLDEN=1 writes the responses; read the diff before you commit it.
 */
const FOLDER = join(import.meta.dir, "../requests");
const update = process.env.UPDATE_GOLDEN === "1";

const fails = (message: string) => () => Promise.reject(new Error(message));
const ports = signupPorts();

/** `# server: …` of a request. Without it, it goes to a site whose signup takes `good-token`. */
const SERVICES: Readonly<Record<string, Partial<Service>>> = {
  "that stops": { isDraining: () => true },
  "with a bug": {
    baseUrl: () => {
      throw new Error("the inside");
    },
  },
  "with a bug in the tools": {
    run: () => {
      throw new TypeError("the inside");
    },
  },
  "on http://localhost:3000": { baseUrl: () => "http://localhost:3000" },
  "with a name": {
    config: readServerConfig({ SERVICE_ID: "tools-1", SERVICE_DESCRIPTION: "Free tools" }),
  },
  "without /mcp": { config: readServerConfig({ MCP: "off" }) },
  "without the signup": { signup: undefined },
  "with Turnstile": { signup: { ...ports, challenge: { ...ports.challenge, siteKey: "1x00" } } },
  "with ALTCHA": { signup: { ...ports, challenge: altcha() } },
};
const SERVERS = Object.fromEntries(
  Object.entries(SERVICES).map(([name, service]) => [name, runningServer(service)]),
);

/** `# signup: …` of a request. */
const SIGNUPS: Readonly<Record<string, Partial<SignupService>>> = {
  "the store fails": { store: { ...ports.store, record: fails("disk full") } },
  "the challenge cannot be checked": { challenge: { verify: fails("no answer") } },
  "the newsletter fails": { newsletter: newsletterThat({ sync: async () => ({ ok: false }) }) },
  "too many requests": {
    limit: () => {
      throw new HttpError("rate_limited", "", { "Retry-After": "60" });
    },
  },
  "the site is at http://localhost:3000": { origin: () => "http://localhost:3000" },
  "no secret is set": { isServerCaller: serverCallerTest([]) },
};
const SECRETS = ["first-secret-of-32-characters-0001", "second-secret-of-32-characters-0002"];

const site = signupSite();
const document = readDocument({ baseUrl: BASE_URL });
const undocumented = answersOf(document);

/** Headers that are written by one name when all of them came with these values. */
const SETS = readFileSync(join(FOLDER, "headers.txt"), "utf8")
  .split("### ")
  .slice(1)
  .map((set) => set.trimEnd().split("\n"))
  .map(([name = "", ...lines]) => ({ name, lines }));

/** The bytes of a text of a request. */
const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .replace(/<(\d+) ([^<>]+)>/g, (_, times, part) => part.repeat(Number(times)))
      .split(/<hex ([\dA-F]+)>/)
      .map((part, index) => Buffer.from(part, index % 2 === 1 ? "hex" : "utf8")),
  );

const encoded = (target: string): string =>
  String(bytesOf(target)).replace(/[^!-~]|["<>\\^`{|}]/gu, encodeURIComponent);

/** Adds what a call of an MCP revision has: two headers, of 2026 also in `_meta`. */
function ofRevision(revision: string, fields: string[], body: string): string {
  fields.push(`MCP-Protocol-Version: ${revision}`);
  if (revision < "2026") return body;
  const [, method = ""] = /"method":"([^"]*)"/.exec(body) ?? [];
  const [, name] = /"params":{"name":"([^"]*)"/.exec(body) ?? [];
  fields.push(`Mcp-Method: ${method}`, ...(name === undefined ? [] : [`Mcp-Name: ${name}`]));
  const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"${revision}","io.modelcontextprotocol/clientCapabilities":{}}`;
  return body.includes('"params":{')
    ? `${body.slice(0, -2)},${meta}}}`
    : `${body.slice(0, -1)},"params":{${meta}}}`;
}

/** Sends a request as it stands in a file, with another method or an entity tag. */
async function send(port: number, text: string, options: Options, method: string, etag = "") {
  const [first = "", ...rest] = text.split("\n");
  const end = rest.findIndex((line) => !/^[\w-]+:/.test(line));
  const fields = rest.slice(0, end < 0 ? undefined : end).map((f) => f.replace("<etag>", etag));
  let body = end < 0 ? "" : rest.slice(end).join("\n");
  if (options.revision) body = ofRevision(options.revision, fields, body);
  const target = encoded(first.slice(first.indexOf(" ") + 1));
  const bytes = bytesOf(body);
  const given = [...fields, options.without ?? ""].map((field) => field.split(":", 1)[0]);
  const usual = {
    Host: "tools.test",
    ...(body !== "" && { "Content-Type": "application/json" }),
    ...(target === "/mcp" &&
      method === "POST" && { Accept: "application/json, text/event-stream" }),
  };
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries(usual).flatMap(([n, value]) => (given.includes(n) ? [] : [`${n}: ${value}`])),
    ...fields.map((field) => bytesOf(field)),
    ...(/^(?:GET|HEAD|OPTIONS)$/.test(method) ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return exchange(
    port,
    Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]),
    method,
  );
}

/** The head of a response without what varies: the status with the names of the sets, then lines. */
function headOf({ status, headers }: RawResponse): readonly string[] {
  const { date: _, "content-length": __, ...rest } = headers;
  const lines = Object.entries(rest)
    .map(([name, value]) => `${name}: ${name === "x-request-id" ? "<id>" : value}`)
    .map((line) => line.replace(/^etag: "[\w-]{27}/, 'etag: "<hash>'))
    .sort();
  const named = new Set<string>();
  const sets = SETS.filter((set) => {
    const isNew = set.lines.some((line) => !named.has(line));
    const isThere = isNew && set.lines.every((line) => lines.includes(line));
    if (isThere) for (const line of set.lines) named.add(line);
    return isThere;
  });
  return [
    [status, ...sets.map(({ name }) => name)].join(" "),
    ...lines.filter((line) => !named.has(line)),
  ];
}

const LONGEST = 2_000;
const SERVER_INFO = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"handtools","title":"Handtools","version":"${packageJson.version}"}}`;

/** The body while it is short, else its head and about its length; of a page, its title and outcome. */
async function bodyOf({ headers, body }: RawResponse): Promise<readonly string[]> {
  if (headers["content-type"]?.startsWith("text/html")) {
    const { outcome, texts } = await shownPage(body);
    const said = [texts.status, texts.problems].join(" ").replaceAll(/\s+/g, " ").trim();
    const title = /<title>[^<]*<\/title>/.exec(body)?.[0] ?? "";
    return [title, ...(outcome === undefined ? [] : [`${outcome}: ${said}`])];
  }
  if (headers["content-type"]?.startsWith("image/")) return ["(an image)"];
  if (body.length <= LONGEST) {
    const text = body.replace(SERVER_INFO, '"_meta":<the server>').trimEnd();
    return text === "" ? [] : text.replace(packageJson.version, "<version>").split("\n");
  }
  const power = 2 ** Math.floor(Math.log2(body.length));
  return [`${body.slice(0, 80).split("\n")[0]}… (${power} to ${2 * power} characters)`];
}

/** What a signup has left behind. */
const effects = () => [
  ...site.database
    .query("SELECT email, cta_source, referral, referral_other FROM signups")
    .values()
    .map((row) => `stored: ${row.join(" | ")}`),
  ...site.subscribers.map((subscriber) => `newsletter: ${JSON.stringify(subscriber)}`),
];

/** Names the error in the first line if the body has nothing else. */
function withError([status = "", ...lines]: readonly string[]): readonly string[] {
  const body = /^{"error":{"code":"(\w+)","message":"Request rejected(:? ?.*?)"}}$/.exec(
    lines.at(-1) ?? "",
  );
  if (!body || !status.includes(" error")) return [status, ...lines];
  return [`${status.replace(" error", "")} ${body[1]}${body[2]}`, ...lines.slice(0, -1)];
}

/** What the lines `# key: value` of a request say. */
type Options = Readonly<Partial<Record<string, string>>>;

/** The lines that came for a request. */
async function answer(request: string): Promise<readonly string[]> {
  const options: Options = Object.fromEntries(
    [...request.matchAll(/^# (\w+): (.*)$/gm)].map(([, key, value]) => [key, value]),
  );
  const { server, signup } = options;
  const text = request.replace(/^#.*\n/gm, "");
  const [method = "", target = ""] = text.split(/\s/, 2);
  site.change({
    isServerCaller: serverCallerTest(SECRETS),
    ...(signup && chosen(SIGNUPS, signup)),
  });
  const { port } = server ? chosen(SERVERS, server) : site;
  const ask = (by: string, etag?: string) => send(port, text, options, by, etag);
  const known = text.includes("<etag>") ? await ask(method) : undefined;
  const response = await ask(method, known?.headers.etag);
  if (method === "GET") {
    const head = await ask("HEAD", known?.headers.etag);
    expect([headOf(head), head.body]).toEqual([headOf(response), ""]);
    expect(head.headers["content-length"]).toBe(response.headers["content-length"]);
  }
  const [path = ""] = target.split("?");
  if (/^\/api\/(?:tools|health)/.test(path) && document.paths[path] && method !== "OPTIONS") {
    expect(undocumented(path, method, response)).toEqual([]);
  }
  return [...withError([...headOf(response), ...(await bodyOf(response))]), ...effects()].map(
    (line) => line.replace(/(.)\1{30,}/gu, shortRun).trimEnd(),
  );
}

function chosen<Value>(values: Readonly<Record<string, Value>>, name: string): Value {
  const value = values[name];
  if (value === undefined) throw new Error(`no ${name}`);
  return value;
}

/** A long run of a character, as it would be written in a request. */
const shortRun = (run: string, character: string) =>
  `<${run.length / character.length} ${character}>`;

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".http"))) {
  const path = join(FOLDER, file);
  const parts = readFileSync(path, "utf8").split(/^(?=### |\| )/m);
  const written = [...parts];
  let table = "";
  /** Compares the text of a case with what comes now, or keeps that to be written. */
  const expectPart = (index: number, now: string) => {
    const part = parts[index] ?? "";
    written[index] = `${now}${part.slice(part.trimEnd().length)}`;
    if (!update) expect(now).toBe(part.trimEnd());
  };
  describe(file.replace(/\.http$/, ""), () => {
    for (const [index, part] of parts.entries()) {
      const [first = "", ...rest] = part.trimEnd().split("\n");
      const request = rest.filter((line) => !line.startsWith(">")).join("\n");
      if (first.startsWith("| ")) {
        const [row = ""] = first.slice(2).split(" => ");
        const value = row.slice(row.lastIndexOf(" | ") + 1).replace(/^\| /, "");
        const filled = table.replaceAll("<value>", () => (value === "<empty>" ? "" : value));
        test(row, async () => {
          expectPart(index, `| ${row} => ${(await answer(filled)).join(" | ")}`);
        });
      } else if (request.includes("<value>")) {
        table = request;
      } else if (first.startsWith("### ")) {
        test(first.slice(4), async () => {
          const came = (await answer(request)).map((line) => `> ${line}`.trimEnd());
          expectPart(index, [first, request, ...came].join("\n"));
        });
      }
    }
    if (update) afterAll(() => writeFileSync(path, written.join("")));
  });
}
