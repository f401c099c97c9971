import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { readServerConfig } from "../../server/config.ts";
import { HttpError } from "../../server/http/http-error.ts";
import { readDocument } from "../../server/pages/docs/document.ts";
import type { Service } from "../../server/service.ts";
import { type SignupService, serverCallerTest } from "../../server/signup/open-signup.ts";
import { altcha } from "./support/altcha.ts";
import { answersOf } from "./support/documented.ts";
import { shownPage } from "./support/forms.ts";
import { exchange, type RawResponse } from "./support/http.ts";
import { BASE_URL, runningServer } from "./support/servers.ts";
import { newsletterThat, signupPorts, signupSite } from "./support/signup.ts";

/*
 * Runs test/requests/*.http: each `###` is a request, and the lines with `>` are what came.
 * UPDATE_GOLDEN=1 writes what comes now; read the diff before you commit it.
 *
 * In a request, `<200 ab>` is "ab" 200 times, `<hex E9>` these bytes, `<etag>` the tag that a
 * first request has got. A target is percent-encoded where a browser would do it. Each GET is
 * repeated as HEAD, and answers of the API are compared with the OpenAPI document.
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

/** Sends a request as it stands in a file, with another method or an entity tag. */
async function send(port: number, text: string, method: string, etag = "") {
  const [head = "", body = ""] = text.split(/\n\n/);
  const [first = "", ...fields] = head.replaceAll("<etag>", etag).split("\n");
  const target = encoded(first.slice(first.indexOf(" ") + 1));
  const bytes = bytesOf(body);
  const given = fields.map((field) => field.split(":", 1)[0]?.toLowerCase());
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(given.includes("host") ? [] : ["Host: tools.test"]),
    ...fields.map((field) => bytesOf(field)),
    ...(/^(?:GET|HEAD|OPTIONS)$/.test(method) ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return exchange(
    port,
    Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]),
    method,
  );
}

/** The part of an answer's head that stays, as lines with the sets first. */
function headOf({ status, headers }: RawResponse): readonly string[] {
  const { date: _, "content-length": __, ...rest } = headers;
  const lines = Object.entries(rest)
    .map(([name, value]) => `${name}: ${name === "x-request-id" ? "<id>" : value}`)
    .map((line) => line.replace(/^etag: "[\w-]{27}/, 'etag: "<hash>'))
    .sort();
  const sets = SETS.filter((set) => set.lines.every((line) => lines.includes(line)));
  const named = sets.flatMap((set) => set.lines);
  return [
    [status, ...sets.map(({ name }) => name)].join(" "),
    ...lines.filter((line) => !named.includes(line)),
  ];
}

const LONGEST = 2_000;

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
    const text = body.replace(`"version":"${packageJson.version}"`, '"version":"<of the package>"');
    return text === "" ? [] : text.trimEnd().split("\n");
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

/** The lines that came for a request. */
async function answer(request: string): Promise<readonly string[]> {
  const options = [...request.matchAll(/^# (\w+): (.*)$/gm)].map(([, key, value]) => [key, value]);
  const { server, signup } = Object.fromEntries(options);
  const text = request.replace(/^#.*\n/gm, "");
  const [method = "", target = ""] = text.split(/\s/, 2);
  site.change({
    isServerCaller: serverCallerTest(SECRETS),
    ...(signup && chosen(SIGNUPS, signup)),
  });
  const { port } = server ? chosen(SERVERS, server) : site;
  const known = text.includes("<etag>") ? await send(port, text, method) : undefined;
  const response = await send(port, text, method, known?.headers.etag);
  if (method === "GET") {
    const head = await send(port, text, "HEAD", known?.headers.etag);
    expect([headOf(head), head.body]).toEqual([headOf(response), ""]);
    expect(head.headers["content-length"]).toBe(response.headers["content-length"]);
  }
  const [path = ""] = target.split("?");
  if (/^\/api\/(?:tools|health)/.test(path) && document.paths[path] && method !== "OPTIONS") {
    expect(undocumented(path, method, response)).toEqual([]);
  }
  return [...headOf(response), ...(await bodyOf(response)), ...effects()];
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
  const [intro = "", ...rows] = readFileSync(path, "utf8").split(/^(?=### )/m);
  const written = [...rows];
  describe(file.replace(/\.http$/, ""), () => {
    for (const [index, row] of rows.entries()) {
      const [title = "", ...lines] = row.trimEnd().split("\n");
      const request = lines.filter((line) => !line.startsWith(">")).join("\n");
      test(title.slice(4), async () => {
        const came = (await answer(request.trimEnd())).map((line) =>
          `> ${line.replace(/(.)\1{30,}/gu, shortRun)}`.trimEnd(),
        );
        written[index] = `${[title, request.trimEnd(), ...came].join("\n")}\n\n`;
        if (!update) expect(written[index]?.trimEnd()).toBe(row.trimEnd());
      });
    }
    if (update) afterAll(() => writeFileSync(path, `${intro}${written.join("").trimEnd()}\n`));
  });
}
