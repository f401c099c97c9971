import { describe, expect, test } from "bun:test";
import { InvalidInputError } from "../../../../src/index.ts";
import {
  createMcpConfig,
  parseServerJson,
  type ServerJsonOptions,
} from "../../../../src/mcp-config/index.ts";
import { configOf, withInputs } from "../support.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas";
const stdio = { transport: { type: "stdio" } };
const npm = { registryType: "npm", identifier: "notes", version: "1.2.0", ...stdio };
const manifest = (parts: object, schema = "2025-12-11") => ({
  $schema: `${SCHEMA}/${schema}/server.schema.json`,
  name: "io.github.me/notes",
  description: "Notes",
  version: "1.2.0",
  ...parts,
});
const read = (value: unknown, options?: ServerJsonOptions) =>
  withInputs(parseServerJson(JSON.stringify(value), options));
const codesOf = ({ warnings }: ReturnType<typeof read>): string[] =>
  warnings.map(({ code }) => code);

const npmWith = (fields: object) => manifest({ packages: [{ ...npm, ...fields }] });
const remoteAt = (url: string, fields: object = {}) => ({
  remotes: [{ type: "streamable-http", url, ...fields }],
});
const oci = (identifier: string, fields: object = {}) => ({
  registryType: "oci",
  identifier,
  ...stdio,
  ...fields,
});
const option = (name: string, rest: object = {}) => ({ type: "named", name, ...rest });
const word = (value: string, rest: object = {}) => ({ type: "positional", value, ...rest });
const variables = (...environmentVariables: object[]) => ({ environmentVariables });

const OLD = "2025-09-29";
const nuget = { ...npm, registryType: "nuget" };
const packageWords = (...words: string[]) => ({
  packageArguments: words.map((text) => word(text)),
});
const ghcr = "https://ghcr.io";
const runtimeArguments = [word("-y"), option("-r", { value: "x" })];
const latest = [word("notes@latest")];

/** A package, and the command line that starts it. */
const COMMANDS: [string, object, string, string?][] = [
  ["npm", npm, "npx -y notes@1.2.0"],
  ["pypi", { ...npm, registryType: "pypi" }, "uvx notes==1.2.0"],
  ["nuget", { ...npm, registryType: "nuget" }, "dnx notes@1.2.0 --yes"],
  ["nuget with words", { ...nuget, ...packageWords("start") }, "dnx notes@1.2.0 --yes -- start"],
  ["an image with its tag", oci("ghcr.io/me/notes:1"), "docker run -i --rm ghcr.io/me/notes:1"],
  ["an image of a new schema", oci("me/notes", { version: "2" }), "docker run -i --rm me/notes"],
  ["one of an old schema", oci("me/notes", { version: "2" }), "docker run -i --rm me/notes:2", OLD],
  ["a digest", oci("me/x@sha256:a", { version: "2" }), "docker run -i --rm me/x@sha256:a", OLD],
  ["its host", oci("me/x:2", { registryBaseUrl: ghcr }), "docker run -i --rm ghcr.io/me/x:2", OLD],
  ["two hosts", oci("q.io/me/x:2", { registryBaseUrl: ghcr }), "docker run -i --rm q.io/me/x:2"],
  [
    "a variable",
    oci("x:1", variables({ name: "A", default: "b" })),
    "A=b docker run -i --rm -e A x:1",
  ],
  ["arguments of the runner, -y once", { ...npm, runtimeArguments }, "npx -y -r x notes@1.2.0"],
  ["the package as one of them", { ...npm, runtimeArguments: latest }, "npx -y notes@1.2.0"],
];

const token = { token: { isRequired: true, isSecret: true } };
/** Ways to write the registries that the runners fetch from. */
const USUAL_REGISTRIES: [string, string][] = [
  ["npm", "https://registry.npmjs.org http://registry.npmjs.org// HTTPS://Registry.NPMJS.org/"],
  ["npm", "https://www.npmjs.com/ registry.npmjs.org "],
  ["pypi", "https://pypi.org https://pypi.org/simple/ https://pypi.org:443"],
  ["oci", "docker.io https://index.docker.io/v1/ https://hub.docker.com"],
  ["nuget", "https://api.nuget.org/v3/index.json https://www.nuget.org/"],
];

/** Registries that a runner would not ask. */
const OTHER_REGISTRIES: [string, string, string][] = [
  ["npm", "https://npm.acme.example", "npm.acme.example, but npx would fetch a package of that"],
  ["npm", "https://registry.npmjs.org.acme.example/", "registry.npmjs.org.acme.example, but npx"],
  ["nuget", "https://acme.example/v3/index.json", "acme.example/v3/index.json, but dnx"],
];

/** The arguments of `docker run`, as real manifests give them, and the command line. */
const RUNTIME_ARGUMENTS: [string, object[], string][] = [
  [
    "docker's own words and the image without its tag, as in github-mcp-server of 2025-10",
    [
      word("run", { isRequired: true }),
      option("-i", { value: "true", format: "boolean", isRequired: true }),
      option("--rm", { value: "true", format: "boolean" }),
      option("-e", { value: "PAT={token}", isRequired: true, variables: token }),
      word("ghcr.io/me/notes", { valueHint: "image_name", isRequired: true }),
    ],
    "PAT=${PAT} docker run -i --rm -e PAT ghcr.io/me/notes:1",
  ],
  [
    "a variable that docker itself reads stays an argument",
    [option("-e", { value: "DOCKER_HOST={token}", variables: token })],
    "docker run -i --rm -e DOCKER_HOST=${NOTES_TOKEN} ghcr.io/me/notes:1",
  ],
];

const positional = (fields: object) => ({ packageArguments: [{ type: "positional", ...fields }] });
const named = (name: string, fields: object = {}) => ({ packageArguments: [option(name, fields)] });
const variable = (name: string, fields: object = {}) => variables({ name, ...fields });
const secret = { isRequired: true, isSecret: true };
const given = { description: "x", isRequired: true };
const twoPlaces = { a: { isRequired: true }, b: { default: "2" } };

/** A field of the package, and the words or variables that it becomes. */
const FIELDS: [string, object, string][] = [
  ["a name that ends in = is one word", named("--mode=", { value: "fast" }), "--mode=fast"],
  ["an optional argument without a value is left out", named("--mode", { description: "x" }), ""],
  ["a required one is a reference", named("--api-key", given), "--api-key ${NOTES_API_KEY}"],
  ["a required switch", named("--stdio", { isRequired: true }), "--stdio"],
  ["a required secret is no switch", named("--key", secret), "--key ${NOTES_KEY}"],
  ["a switch that is off", named("--write", { format: "boolean", default: "false" }), ""],
  ["a positional one", positional({ ...given, valueHint: "target_dir" }), "${NOTES_TARGET_DIR}"],
  ["a secret with a default", named("--key", { ...secret, default: "x" }), "--key ${NOTES_KEY}"],
  ["all variables of a value", positional({ value: "{a}:{b}", variables: twoPlaces }), "${A}:2"],
  ["no value with an optional variable", named("-e", { value: "T={t}", variables: { t: {} } }), ""],
  ["a variable with a default", variable("LOG", { default: "info" }), "LOG=info"],
  ["a required variable is a reference", variable("apiKey", given), "apiKey=${apiKey}"],
];

const commandLine = ({ servers: [server] }: ReturnType<typeof read>): string =>
  [
    ...Object.entries(server?.env ?? {}).map(([name, value]) => `${name}=${value}`),
    ...(server?.command ? [server.command] : []),
    ...(server?.args ?? []),
  ].join(" ");

describe("starts a package", () => {
  test.each(COMMANDS.map((row) => ({ row })))("$row.0", ({ row: [, entry, line, schema] }) => {
    const result = read(manifest({ packages: [entry] }, schema));
    expect(commandLine(result)).toBe(line);
    expect(result.servers[0]?.name).toBe("notes");
    expect(codesOf(result)).toEqual([]);
  });

  test.each(USUAL_REGISTRIES)("of the usual registry, %s", (registryType, addresses) => {
    const lineWith = (fields: object) =>
      commandLine(read(manifest({ packages: [{ ...npm, registryType, ...fields }] }, OLD)));
    for (const registryBaseUrl of addresses.split(" ")) {
      expect(lineWith({ registryBaseUrl })).toBe(lineWith({}));
    }
  });

  test.each(OTHER_REGISTRIES)("but not of another one, %s %s", (registryType, address, message) => {
    const entry = { ...npm, registryType, registryBaseUrl: address };
    const { registryBaseUrl: _, registryType: __, ...others } = entry;
    const snake = { ...others, registry_type: registryType, registry_base_url: address };
    const problem = `notes is in the registry ${message}`;
    expect(() => read(manifest({ packages: [entry] }))).toThrow(problem);
    expect(() => read({ server: manifest({ packages: [snake] }, "2025-07-09") })).toThrow(problem);
    const parts = { packages: [entry], remotes: [https] };
    expect(read(manifest(parts)).ways).toEqual([{ via: "remote", identifier: https.url }]);
    expect(() => read(manifest(parts), { via: registryType })).toThrow(problem);
  });

  test.each(FIELDS)("with %s", (_, fields, words) => {
    const line = commandLine(read(npmWith(fields)));
    expect(line.replace(/npx -y notes@1\.2\.0 ?/, "").trim()).toBe(words);
  });

  test.each(RUNTIME_ARGUMENTS)("in a container with %s", (_, runtimeArguments, line) => {
    const entry = oci("ghcr.io/me/notes:1", { runtimeArguments });
    expect(commandLine(read(manifest({ packages: [entry] })))).toBe(line);
  });
});

const https = { type: "streamable-http", url: "https://x.example/mcp" };
const sse = { type: "sse", url: "https://x.example/sse" };
const bearer = {
  name: "Authorization",
  value: "Bearer {key}",
  isRequired: true,
  variables: { key: { isSecret: true } },
};

describe("chooses", () => {
  const CHOICES: [string, object, string, ServerJsonOptions?][] = [
    ["a remote over https before a package", { packages: [npm], remotes: [https] }, "remote"],
    ["a package before an sse remote", { packages: [npm], remotes: [sse] }, "npm"],
    ["a package before one without https", { packages: [npm], ...remoteAt("http://x/mcp") }, "npm"],
    ["a package before an open host", { packages: [npm], ...remoteAt("https://{h}.x/mcp") }, "npm"],
    ["the wanted package", { packages: [npm], remotes: [https] }, "npm", { via: "npm" }],
    ["one that clients start", { packages: [{ ...npm, registryType: "mcpb" }, npm] }, "npm"],
  ];

  test.each(CHOICES.map((row) => ({ row })))("$row.0", ({ row: [, parts, wanted, options] }) => {
    const { ways, warnings } = read(manifest(parts), options);
    expect(ways[0]?.via).toBe(wanted);
    expect(warnings.every(({ severity }) => severity === "info")).toBe(true);
  });

  test("and names the others, and those that no client starts", () => {
    const mcpb = { registryType: "mcpb", identifier: "https://x/a.mcpb", ...stdio };
    const result = read(manifest({ packages: [mcpb, npm], remotes: [sse] }));
    expect(result.ways).toEqual([
      { via: "npm", identifier: "notes" },
      { via: "remote", identifier: sse.url },
    ]);
    const reason = "no client can start mcpb packages (https://x/a.mcpb)";
    expect(result.left_out).toEqual([{ name: "packages[0]", reason }]);
    expect(codesOf(result)).toEqual(["package-chosen", "left-out"]);
  });
});

describe("a remote", () => {
  test("has references in headers and in the URL", () => {
    const remote = {
      type: "streamable-http",
      url: "https://x.example/{tenant}/mcp",
      variables: { tenant: { description: "Yours" } },
      headers: [bearer, { name: "X_Region", default: "eu" }, { name: "X-Other" }],
    };
    const { servers, variables } = read(manifest({ remotes: [remote] }));
    expect(servers).toEqual([
      {
        name: "notes",
        url: "https://x.example/%24%7BTENANT%7D/mcp",
        headers: { Authorization: "Bearer ${NOTES_KEY}", X_Region: "eu" },
      },
    ]);
    expect(variables).toEqual([
      { name: "TENANT", description: "Yours", secret: false },
      { name: "NOTES_KEY", secret: true },
    ]);
  });

  test("may have a host that --var gives", () => {
    const value = manifest(remoteAt("https://{host}.x.example/mcp", { variables: { host: {} } }));
    expect(() => read(value)).toThrow("add --var NOTES_HOST=VALUE");
    const { servers } = read(value, { variables: { host: "eu" } });
    expect(servers[0]?.url).toBe("https://eu.x.example/mcp");
  });

  test("may have a variable named constructor", () => {
    const variables = { constructor: { default: "a" } };
    const value = manifest(remoteAt("https://x.example/{constructor}", { variables }));
    expect(read(value).servers[0]?.url).toBe("https://x.example/a");
    const given = read(value, { variables: { constructor: "b" } });
    expect(given.servers[0]?.url).toBe("https://x.example/b");
  });

  test("of the older transport stays one", () => {
    expect(read(manifest({ remotes: [sse] })).transports).toEqual(["sse"]);
    expect(read(manifest({ remotes: [sse, https] })).transports).toEqual(["http"]);
  });
});

describe("the name of a server is", () => {
  test.each([
    ["the last part", "io.github.me/notes", "notes"],
    ["without what every server is", "com.postman/postman-mcp-server", "postman"],
    ["the owner of the repository", "io.github.alice/mcp-server", "alice"],
  ])("%s", (_, name, wanted) => {
    expect(read({ ...manifest({ packages: [npm] }), name }).servers[0]?.name).toBe(wanted);
  });
});

describe("a variable carries the name of its server", () => {
  const authorized = (name: string) => ({
    ...manifest(
      remoteAt("https://x.test/mcp", { headers: [{ name: "Authorization", ...secret }] }),
    ),
    name,
  });
  const postman = authorized("com.postman/postman-mcp-server");
  const apify = authorized("com.apify/mcp");

  test.each([
    ["cursor", '"Authorization": "${env:NAME}"'],
    ["codex", '[mcp_servers.SERVER.env_http_headers]\nAuthorization = "NAME"'],
  ] as const)("so that no host gets the secret of another in %s", (client, line) => {
    for (const [value, server, name] of [
      [postman, "postman", "POSTMAN_AUTHORIZATION"],
      [apify, "apify", "APIFY_AUTHORIZATION"],
    ] as const) {
      const { servers, variables } = read(value);
      const result = createMcpConfig(servers[0] ?? { name: "" }, { variables, clients: [client] });
      const wanted = line.replace("SERVER", server).replace("NAME", name);
      expect(configOf(result, client).snippet).toContain(wanted);
    }
  });

  const header = (value: string, name: string) =>
    remoteAt(https.url, { headers: [{ name: "X-Key", value, variables: { [name]: secret } }] });
  const npmPackage = (fields: object) => ({ packages: [{ ...npm, ...fields }] });
  const both = {
    ...named("--api-key", { description: "x", ...secret }),
    ...variable("API_KEY", secret),
  };
  const PLACES: [string, object, string][] = [
    ["its own key", header("{notesApiKey}", "notesApiKey"), "NOTES_API_KEY"],
    ["the key of a service", header("{STRIPE_KEY}", "STRIPE_KEY"), "STRIPE_KEY"],
    ["a token in a URL", remoteAt("https://x.example/{token}"), "NOTES_TOKEN"],
    ["an argument of the same name as such a variable", npmPackage(both), "API_KEY"],
  ];
  test.each(PLACES)("unless the manifest names it: %s", (_, parts, name) => {
    expect(read(manifest(parts)).variables.map((input) => input.name)).toEqual([name]);
  });

  test.each(["Authorization", "authorization", "POSTMAN_AUTHORIZATION"])(
    "and --var %s gives its value",
    (name) => {
      expect(read(postman, { variables: { [name]: "Bearer x" } }).variables[0]?.value).toBe(
        "Bearer x",
      );
      expect(() => read(postman, { variables: { OTHER: "x" } })).toThrow("it has AUTHORIZATION");
    },
  );
});

describe("values of --var", () => {
  const withFields = npmWith(variables({ name: "LOG" }, { name: "API_KEY", ...secret }));

  test("are literal, and those of secrets are references", () => {
    const values = { log: "debug", API_KEY: "s3cret" };
    const { servers, variables, warnings } = read(withFields, { variables: values });
    expect(servers[0]?.env).toEqual({ LOG: "debug", API_KEY: "${API_KEY}" });
    expect(variables).toEqual([{ name: "API_KEY", secret: true, value: "s3cret" }]);
    expect(JSON.stringify(warnings)).toContain("keeps the reference to the secret API_KEY");
    expect(JSON.stringify(warnings)).not.toContain("s3cret");
  });

  test.each([
    ["choices", { choices: ["metric", "imperial"] }, "bogus", "metric", "one of metric, imperial"],
    ["a number", { format: "number" }, "ten", "-1.5", "a number"],
  ])("are rejected against %s", (_, input, wrong, right, wanted) => {
    const run = (value: string) =>
      read(npmWith(variable("UNITS", input)), { variables: { units: value } });
    expect(() => run(wrong)).toThrow(`UNITS must be ${wanted}`);
    expect(run(right).servers[0]?.env).toEqual({ UNITS: right });
  });
});

const regions = (...defaults: (string | undefined)[]) => ({
  packageArguments: defaults.map((value, at) =>
    option(`--${at}`, {
      value: "{region}",
      variables: { region: { default: value, isRequired: true } },
    }),
  ),
});

/** Places of one name, and the words that they become with one default each. */
const DEFAULTS: [string, object, string][] = [
  ["the same default", regions("eu", "eu"), "--0 eu --1 eu"],
  ["two defaults, which is said", regions("eu", "us"), "--0 eu --1 us"],
];

test.each(DEFAULTS)("places of one name with %s", (title, fields, words) => {
  const result = read(npmWith(fields));
  expect(commandLine(result).replace(/npx -y notes@1\.2\.0 /, "")).toBe(words);
  expect(codesOf(result)).toEqual(title.endsWith("is said") ? ["manifest-unclear"] : []);
});

test.each<[string, object, string]>([
  ["a newer schema", manifest({ packages: [npm] }, "2027-01-01"), "manifest-unclear"],
  ["an optional value", npmWith(variable("A")), "left-out"],
])("warns about %s", (_, value, code) => expect(codesOf(read(value))).toEqual([code]));

describe("reads the form of", () => {
  const args = ["-y", "notes@1.2.0", "x"];
  const wanted = [{ name: "notes", command: "npx", args, env: { A: "1" } }];
  const packageArguments = [word("x")];
  const environmentVariables = [{ name: "A", default: "1" }];
  const current = { ...npm, packageArguments, environmentVariables };
  const snake = {
    identifier: "notes",
    version: "1.2.0",
    registry_type: "npm",
    package_arguments: packageArguments,
    environment_variables: environmentVariables,
  };
  const today = manifest({ packages: [current] });
  const bare = { packages: [{ ...current, runtimeArguments: null }], remotes: null };
  const FORMS: [string, string][] = [
    ["the registry's answer", JSON.stringify({ server: today, _meta: {} })],
    ["July 2025", JSON.stringify(manifest({ packages: [snake] }, "2025-07-09"))],
    ["a file with a byte order mark and comments", `\ufeff// mine\n${JSON.stringify(today)}`],
    ["a file without a schema, with nulls", JSON.stringify({ name: "me/notes", ...bare })],
  ];
  test.each(FORMS)("%s", (_, text) => {
    expect(withInputs(parseServerJson(text)).servers).toEqual(wanted);
  });
});

const twoLines = { headers: [{ name: "A\nB", value: "x" }] };
const REJECTED: [string, unknown, string][] = [
  ["a kind", npmWith({ registryType: "cargo" }), "no client can start cargo packages (notes)"],
  ["what the user starts", npmWith({ transport: https }), "notes uses streamable-http, so you"],
  ["a template", npmWith({ identifier: "<<A>>" }), "packages[0]: is a template in which <<A>> is"],
  ["an option", npmWith({ identifier: "--evil" }), "identifier: must be the name of a package"],
  ["a header of two lines", manifest(remoteAt(https.url, twoLines)), "headers"],
];
test.each(REJECTED)("rejects %s", (_, value, message) => {
  expect(() => read(value)).toThrow(InvalidInputError);
  expect(() => read(value)).toThrow(message);
});

test.each([
  ["a version before the first release", { ...npm, version: "0.0.0" }, "0.0.0", "npx -y notes"],
  ["the tag of its image", oci("me/x:${VERSION}"), "${VERSION}", "docker run -i --rm me/x"],
])("a template without %s starts the newest one, with a warning", (_, part, placeholder, line) => {
  const { servers, warnings } = read(manifest({ packages: [part] }));
  expect([servers[0]?.command, ...(servers[0]?.args ?? [])].join(" ")).toBe(line);
  const message = expect.stringContaining(`without a version (${placeholder})`);
  expect(warnings).toMatchObject([{ code: "manifest-version", message }]);
});

describe("the config of a manifest", () => {
  const key = named("--key", { ...secret, description: "Your key" });
  const region = variable("REGION", { isRequired: true, choices: ["eu", "us"] });
  const { servers, variables } = read(npmWith({ ...key, ...region }));
  const [server = { name: "" }] = servers;
  const result = createMcpConfig(server, {
    variables,
    clients: ["vscode", "codex", "claude-code"],
  });

  test("lets VS Code ask, without echo for a secret, and among the choices", () => {
    const { servers, inputs } = JSON.parse(configOf(result, "vscode").snippet);
    expect(servers.notes.args).toEqual(["-y", "notes@1.2.0", "--key", "${input:notes_notes_key}"]);
    expect(servers.notes.env).toEqual({ REGION: "${input:notes_region}" });
    expect(inputs).toEqual([
      { type: "promptString", id: "notes_notes_key", description: "Your key", password: true },
      expect.objectContaining({ type: "pickString", id: "notes_region", options: ["eu", "us"] }),
    ]);
  });

  test("has a place to fill where the client knows no reference, and says so", () => {
    expect(configOf(result, "codex").snippet).toContain('"--key", "<NOTES_KEY>"');
    expect(configOf(result, "codex").snippet).toContain('env_vars = [ "REGION" ]');
    const message =
      "contains <NOTES_KEY>, which Codex cannot replace; write the value itself there";
    expect(result.warnings).toMatchObject([
      { code: "unsupported-reference", path: "args[3]", message },
    ]);
  });

  test.each([
    ["a place to fill", undefined, "Bearer <NOTES_TOKEN>"],
    ["a given value", "v-1", "Bearer v-1"],
  ])("has %s in the environment of Claude Desktop's bridge", (_, token, shown) => {
    const headers = [
      { name: "Authorization", value: "Bearer {token}", variables: { token: secret } },
    ];
    const options = token === undefined ? {} : { variables: { token } };
    const { servers, variables } = read(manifest(remoteAt(https.url, { headers })), options);
    const result = createMcpConfig(servers[0] ?? { name: "" }, { variables });
    const { env } = JSON.parse(configOf(result, "claude-desktop").snippet).mcpServers.notes;
    expect(env).toEqual({ MCP_HEADER_AUTHORIZATION: shown });
  });
});

// Quadratic time would take minutes.
test("a URL of 300,000 braces is rejected as any other", () => {
  const url = `https://x.example/${"{".repeat(300_000)}`;
  expect(() => read(manifest(remoteAt(url)))).toThrow("must be an absolute URL");
});
