import { describe, expect, test } from "bun:test";
import { isLocal } from "../../../server/config.ts";
import { OperatorError } from "../../../server/operator-error.ts";
import { findWeakSettings, readSignupConfig } from "../../../server/signup/config.ts";
import { commandLine } from "../../cli/support.ts";

/** Text that must be in no message. */
const VALUE = "value-of-the-operator";
const SECRET = `${VALUE}-of-32-characters-or-more`;
const KEYS = { TURNSTILE_SITE_KEY: "0x4AAA", TURNSTILE_SECRET_KEY: SECRET };
const API = {
  LISTMONK_URL: "http://127.0.0.1:9000",
  LISTMONK_API_USER: "handtools",
  LISTMONK_API_TOKEN: SECRET,
  LISTMONK_LIST_ID: "3",
};

describe("readSignupConfig()", () => {
  test("without variables: a file, our own challenge, no newsletter, a limit for public addresses", () => {
    expect(readSignupConfig({})).toEqual({
      databaseUrl: "file:handtools.sqlite",
      ingestSecrets: [],
      turnstile: undefined,
      secret: expect.stringMatching(/^[\da-f]{64}$/),
      oldSecret: undefined,
      newsletter: undefined,
      privacyUrl: undefined,
      perMinute: 20,
      sparesPrivate: true,
      proxies: undefined,
    });
  });

  test("makes another secret each time", () => {
    const [first, second] = [readSignupConfig({}), readSignupConfig({})];
    expect(first.secret).not.toEqual(second.secret);
  });

  test("takes an empty variable for none", () => {
    const names = [
      "DATABASE_URL",
      "SIGNUP_INGEST_SECRET",
      ...Object.keys(KEYS),
      ...Object.keys(API),
    ];
    const environment = Object.fromEntries(names.map((name) => [name, ""]));
    expect(readSignupConfig(environment)).toMatchObject({
      databaseUrl: "file:handtools.sqlite",
      ingestSecrets: [],
      turnstile: undefined,
      newsletter: undefined,
    });
  });

  test.each<[Record<string, string>, object]>([
    [{ DATABASE_URL: "file:/data/a.sqlite" }, { databaseUrl: "file:/data/a.sqlite" }],
    [{ DATABASE_URL: "postgres://u:p@h/d" }, { databaseUrl: "postgres://u:p@h/d" }],
    [{ DATABASE_URL: "postgresql://h/d" }, { databaseUrl: "postgresql://h/d" }],
    [
      { PRIVACY_URL: "https://site.test/privacy?a=1" },
      { privacyUrl: "https://site.test/privacy?a=1" },
    ],
    [{ PRIVACY_URL: "http://localhost/privacy" }, { privacyUrl: "http://localhost/privacy" }],
    [{ SIGNUP_INGEST_SECRET: SECRET }, { ingestSecrets: [SECRET] }],
    [{ SIGNUP_INGEST_SECRET: `${SECRET}, ${SECRET}2 ` }, { ingestSecrets: [SECRET, `${SECRET}2`] }],
    [{ SIGNUP_INGEST_SECRET: "x".repeat(32) }, { ingestSecrets: ["x".repeat(32)] }],
    [{ CHALLENGE_SECRET: ` ${SECRET}\n` }, { secret: SECRET, oldSecret: undefined }],
    [
      { CHALLENGE_SECRET: `${SECRET}-new, ${SECRET}` },
      { secret: `${SECRET}-new`, oldSecret: SECRET },
    ],
    [
      KEYS,
      {
        turnstile: {
          siteKey: "0x4AAA",
          secret: SECRET,
          verifyUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
          allowTestKeys: false,
        },
      },
    ],
    [
      { ...KEYS, TURNSTILE_VERIFY_URL: "http://127.0.0.1:1/x", TURNSTILE_ALLOW_TEST_KEYS: "on" },
      { turnstile: { verifyUrl: "http://127.0.0.1:1/x", allowTestKeys: true } },
    ],
    [
      API,
      {
        newsletter: {
          url: API.LISTMONK_URL,
          user: "handtools",
          token: SECRET,
          listId: 3,
          preconfirm: false,
          maxLookups: 4,
        },
      },
    ],
    [
      { ...API, LISTMONK_PRECONFIRM: "true", LISTMONK_MAX_LOOKUPS: "2" },
      { newsletter: { preconfirm: true, maxLookups: 2 } },
    ],
    [
      { ...API, LISTMONK_URL: "https://x.test/api-of/lists/" },
      { newsletter: { url: "https://x.test/api-of/lists/" } },
    ],
    [{ RATE_LIMIT: "10" }, { perMinute: 10, sparesPrivate: false }],
    [{ RATE_LIMIT: "off" }, { perMinute: "off" }],
  ])("takes %j", (environment, config) => {
    expect(readSignupConfig(environment)).toMatchObject(config);
  });

  test("allows test keys where only this machine gets in", () => {
    const environment = { ...KEYS, TURNSTILE_ALLOW_TEST_KEYS: "1" };
    for (const BASE_URL of ["", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:1"]) {
      const { turnstile } = readSignupConfig({ ...environment, BASE_URL });
      expect(turnstile?.allowTestKeys).toBe(true);
    }
    const read = () => readSignupConfig({ ...environment, BASE_URL: "https://tools.test" });
    expect(read).toThrow("TURNSTILE_ALLOW_TEST_KEYS: lets every bot in");
  });

  const SECRETS =
    "SIGNUP_INGEST_SECRET: must be one secret, or two separated by a comma, of at least 32 ASCII characters each, without blanks";
  const CHALLENGE =
    "CHALLENGE_SECRET: must be one secret, or two separated by a comma, of at least 32 characters each";
  const HALF_OF_KEYS = "TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY: set all of them, or none";
  const LISTMONK =
    "LISTMONK_URL, LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID: set all of them, or none";

  const LISTMONK_ADDRESS =
    "LISTMONK_URL: must be the address of listmonk itself, such as https://lists.example.com: without /api, a query, a fragment, a user or a password";

  test.each<[Record<string, string>, string]>([
    [{ DATABASE_URL: VALUE }, "DATABASE_URL: must be file:PATH or postgres://…"],
    [{ DATABASE_URL: `mysql://u:${VALUE}@h` }, "DATABASE_URL: must be file:PATH or postgres://…"],
    [{ DATABASE_URL: "file:" }, "DATABASE_URL: must be file:PATH or postgres://…"],
    [{ SIGNUP_INGEST_SECRET: VALUE }, SECRETS],
    [{ SIGNUP_INGEST_SECRET: "x".repeat(31) }, SECRETS],
    [{ SIGNUP_INGEST_SECRET: `${SECRET},` }, SECRETS],
    [{ SIGNUP_INGEST_SECRET: `${SECRET},${VALUE}` }, SECRETS],
    [{ SIGNUP_INGEST_SECRET: `${SECRET},${SECRET},${SECRET}` }, SECRETS],
    [{ SIGNUP_INGEST_SECRET: `${SECRET} ${SECRET}` }, SECRETS],
    [{ SIGNUP_INGEST_SECRET: `${SECRET}ä` }, SECRETS],
    [{ CHALLENGE_SECRET: VALUE }, CHALLENGE],
    [{ CHALLENGE_SECRET: `${SECRET},x` }, CHALLENGE],
    [{ CHALLENGE_SECRET: `${SECRET},${SECRET},${SECRET}` }, CHALLENGE],
    [{ CHALLENGE_SECRET: " ".repeat(40) }, CHALLENGE],
    [{ TURNSTILE_SITE_KEY: VALUE }, HALF_OF_KEYS],
    [{ TURNSTILE_SECRET_KEY: VALUE }, HALF_OF_KEYS],
    [{ ...KEYS, TURNSTILE_SECRET_KEY: " " }, "TURNSTILE_SECRET_KEY: must not be blank"],
    [
      { ...KEYS, TURNSTILE_VERIFY_URL: `http://${VALUE}.test/` },
      "TURNSTILE_VERIFY_URL: must be an https URL, or one of this machine",
    ],
    [
      { ...KEYS, TURNSTILE_VERIFY_URL: `ftp://localhost/${VALUE}` },
      "TURNSTILE_VERIFY_URL: must be an http or https URL",
    ],
    [{ TURNSTILE_ALLOW_TEST_KEYS: VALUE }, "TURNSTILE_ALLOW_TEST_KEYS: must be on or off"],
    [{ LISTMONK_URL: API.LISTMONK_URL }, LISTMONK],
    [{ ...API, LISTMONK_API_USER: "" }, LISTMONK],
    [{ ...API, LISTMONK_API_TOKEN: "" }, LISTMONK],
    [{ ...API, LISTMONK_LIST_ID: "" }, LISTMONK],
    [{ ...API, LISTMONK_URL: "" }, LISTMONK],
    [{ ...API, LISTMONK_URL: VALUE }, "LISTMONK_URL: must be an http or https URL"],
    ...["/?a=1", "/?", "/#top", "/api", "/lists/api/"].map(
      (rest): [Record<string, string>, string] => [
        { ...API, LISTMONK_URL: `https://${VALUE}.test${rest}` },
        LISTMONK_ADDRESS,
      ],
    ),
    [{ ...API, LISTMONK_URL: `https://user:${VALUE}@x.test` }, LISTMONK_ADDRESS],
    [{ ...API, LISTMONK_URL: `https://${VALUE}@x.test` }, LISTMONK_ADDRESS],
    [{ PRIVACY_URL: "/privacy" }, "PRIVACY_URL: must be an http or https URL"],
    [{ PRIVACY_URL: "javascript:alert(1)" }, "PRIVACY_URL: must be an http or https URL"],
    [{ PRIVACY_URL: "mailto:a@site.test" }, "PRIVACY_URL: must be an http or https URL"],
    [
      { ...API, LISTMONK_LIST_ID: VALUE },
      "LISTMONK_LIST_ID: must be a whole number from 1 to 999999999",
    ],
    [
      { ...API, LISTMONK_MAX_LOOKUPS: "25" },
      "LISTMONK_MAX_LOOKUPS: must be a whole number from 1 to 24",
    ],
    [
      { TRUSTED_PROXIES: VALUE },
      "TRUSTED_PROXIES: must be addresses or networks, such as 10.0.0.0/8",
    ],
    ...["0", "1000001", "1e3", VALUE].map((RATE_LIMIT): [Record<string, string>, string] => [
      { RATE_LIMIT },
      "RATE_LIMIT: must be a whole number from 1 to 1000000, or off",
    ]),
  ])("rejects %j", (environment, problem) => {
    const read = () => readSignupConfig(environment);
    expect(read).toThrow(new OperatorError(2, [problem]));
    expect(read).not.toThrow(VALUE);
  });
});

describe("findWeakSettings()", () => {
  test.each<[string, Record<string, string>, readonly RegExp[]]>([
    [
      "whom the limit spares when it is not set",
      { CHALLENGE_SECRET: SECRET, RATE_LIMIT: "" },
      [/^Behind a proxy, set TRUSTED_PROXIES/],
    ],
    [
      "nobody when proxies are named",
      { CHALLENGE_SECRET: SECRET, RATE_LIMIT: "", TRUSTED_PROXIES: "10.0.0.0/8" },
      [],
    ],
    ["nobody when the limit is off", { CHALLENGE_SECRET: SECRET, RATE_LIMIT: "off" }, []],
    [
      "plain http to another machine",
      { ...KEYS, ...API, LISTMONK_URL: "http://0.0.0.0:1" },
      [/^LISTMONK_URL is plain http to another machine/],
    ],
    [
      "a site over plain http, where browsers do not have the functions for the challenge",
      { CHALLENGE_SECRET: SECRET, BASE_URL: "http://tools.test" },
      [/^BASE_URL is plain http: browsers solve the challenge only over https/],
    ],
    [
      "a site over plain http on this machine, behind a proxy",
      { CHALLENGE_SECRET: SECRET, HOST: "127.0.0.1", BASE_URL: "http://tools.test" },
      [/^BASE_URL is plain http/],
    ],
    ["no plain http of Turnstile", { ...KEYS, BASE_URL: "http://tools.test" }, []],
    [
      "no plain http of this machine",
      { CHALLENGE_SECRET: SECRET, BASE_URL: "http://localhost:3000" },
      [],
    ],
    ["no https", { CHALLENGE_SECRET: SECRET, BASE_URL: "https://tools.test" }, []],
    ["a secret that ends with the process", {}, [/^CHALLENGE_SECRET is not set/]],
    ["nothing of production where only this machine is", { HOST: "", RATE_LIMIT: "" }, []],
    [
      "the same where this machine has a name",
      { HOST: "", RATE_LIMIT: "", BASE_URL: "https://tools.test" },
      [/^CHALLENGE_SECRET is not set/, /^Behind a proxy, set TRUSTED_PROXIES/],
    ],
    ["nothing that is well", { CHALLENGE_SECRET: SECRET }, []],
    ["nothing of Turnstile", KEYS, []],
  ])("tells of %s", (_, given, wanted) => {
    const environment = { RATE_LIMIT: "10", HOST: "0.0.0.0", ...given };
    const config = readSignupConfig(environment);
    const warnings = findWeakSettings(environment, config, !isLocal(environment));
    expect(warnings).toEqual(wanted.map((pattern) => expect.stringMatching(pattern)));
    expect(warnings.join("\n")).not.toInclude(VALUE);
  });
});

describe("serve does not start, and says no value", () => {
  test.each<[Record<string, string>, number, string]>([
    [{ SIGNUP_INGEST_SECRET: VALUE }, 2, "error: SIGNUP_INGEST_SECRET: must be"],
    [{ DATABASE_URL: VALUE }, 2, "error: DATABASE_URL: must be"],
    [{ DATABASE_URL: "file:/no/such/folder/a.sqlite" }, 1, "error: DATABASE_URL: "],
    [{ DATABASE_URL: `postgres://u:${VALUE}@127.0.0.1:1/d` }, 1, "error: DATABASE_URL: "],
  ])("with %j", async (environment, exitCode, message) => {
    const ended = await commandLine(["serve"], { environment });
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.error).toStartWith(message);
    expect(ended.error + ended.out).not.toInclude(VALUE);
  });
});
