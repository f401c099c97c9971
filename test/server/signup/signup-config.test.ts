import { describe, expect, test } from "bun:test";
import { isLocalServer } from "../../../server/config.ts";
import { OperatorError } from "../../../server/operator-error.ts";
import {
  findWeakSettings,
  readSignupConfig,
  VariablesSchema,
} from "../../../server/signup/signup-config.ts";

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
      exemptsPrivateNetworks: true,
      proxies: undefined,
    });
  });

  test("takes an empty variable for none", () => {
    const names = Object.keys(VariablesSchema.entries);
    const environment = Object.fromEntries(names.map((name) => [name, ""]));
    expect({ ...readSignupConfig(environment), secret: "" }).toEqual({
      ...readSignupConfig({}),
      secret: "",
    });
  });

  const VERIFY_URL = "http://127.0.0.1:1/x";
  const PRIVACY_URL = "https://site.test/privacy?a=1";

  test.each<[Record<string, string>, object]>([
    [{ DATABASE_URL: "file:/data/a.sqlite" }, { databaseUrl: "file:/data/a.sqlite" }],
    [{ PRIVACY_URL }, { privacyUrl: PRIVACY_URL }],
    [{ SIGNUP_INGEST_SECRET: SECRET }, { ingestSecrets: [SECRET] }],
    [{ SIGNUP_INGEST_SECRET: `${SECRET}, ${SECRET}2 ` }, { ingestSecrets: [SECRET, `${SECRET}2`] }],
    [{ CHALLENGE_SECRET: ` ${SECRET}\n` }, { secret: SECRET, oldSecret: undefined }],
    [{ CHALLENGE_SECRET: `${SECRET}2, ${SECRET}` }, { secret: `${SECRET}2`, oldSecret: SECRET }],
    [KEYS, { turnstile: { siteKey: "0x4AAA", secret: SECRET, allowTestKeys: false } }],
    [{ ...KEYS, TURNSTILE_VERIFY_URL: VERIFY_URL }, { turnstile: { verifyUrl: VERIFY_URL } }],
    [API, { newsletter: { url: API.LISTMONK_URL, token: SECRET, listId: 3, maxSearches: 4 } }],
    [{ ...API, LISTMONK_PRECONFIRM: "true" }, { newsletter: { preconfirm: true, maxSearches: 4 } }],
    [{ RATE_LIMIT: "10" }, { perMinute: 10, exemptsPrivateNetworks: false }],
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
    expect(read).toThrow(
      "TURNSTILE_ALLOW_TEST_KEYS: must be off unless BASE_URL is on this machine",
    );
  });

  const ONE_OR_TWO = "must be one secret, or two separated by a comma, of at least 32";
  const SITE = `https://${VALUE}.test`;

  const THREE = `${SECRET},${SECRET},${SECRET}`;
  const NOT_API = ["/?a=1", "/#top", "/api", "/lists/api/"].map((rest) => SITE + rest);
  test.each<[string, string, readonly string[]]>([
    ["DATABASE_URL", "must be file:PATH or postgres://…", [VALUE, `mysql://u:${VALUE}@h`, "file:"]],
    ["SIGNUP_INGEST_SECRET", `${ONE_OR_TWO} ASCII characters each`, [VALUE, `${SECRET}ä`, THREE]],
    ["SIGNUP_INGEST_SECRET", ONE_OR_TWO, [`${SECRET} ${SECRET}`, `${SECRET},`, "x".repeat(31)]],
    ["CHALLENGE_SECRET", `${ONE_OR_TWO} characters each`, [VALUE, THREE, " ".repeat(40)]],
    ["TURNSTILE_ALLOW_TEST_KEYS", "must be on or off", [VALUE]],
    ["TURNSTILE_VERIFY_URL", "must be an https URL, or a URL of", [`http://${VALUE}.test/`]],
    ["LISTMONK_URL", "must be the URL of listmonk itself", [...NOT_API, `https://${VALUE}@x.test`]],
    ["LISTMONK_LIST_ID", "must be a whole number from 1 to 999999999", [VALUE, "0"]],
    ["LISTMONK_MAX_SEARCHES", "must be a whole number from 1 to 24", ["25"]],
    ["PRIVACY_URL", "must be an http or https URL", ["/privacy", "javascript:alert(1)"]],
    ["TRUSTED_PROXIES", "must be IP addresses or networks, such as 10.0.0.0/8", [VALUE]],
    ["RATE_LIMIT", "must be a whole number from 1 to 1000000, or off", ["0", "1000001", "1e3"]],
  ])("%s %s, and not %j", (name, wanted, values) => {
    for (const value of values) expectRejected({ [name]: value }, `${name}: ${wanted}`);
  });

  test.each<[string, Record<string, string>]>([
    ["TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY", KEYS],
    ["LISTMONK_URL, LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID", API],
  ])("takes all of %s, or none", (names, variables) => {
    for (const name of Object.keys(variables)) {
      expectRejected({ ...variables, [name]: "" }, `${names}: set all of them, or none`);
    }
  });
});

function expectRejected(environment: Record<string, string>, problem: string) {
  const read = () => readSignupConfig(environment);
  expect(read).toThrow(OperatorError);
  expect(read).toThrow(problem);
  expect(read).not.toThrow(VALUE);
}

describe("findWeakSettings() of a public server", () => {
  const PLAIN = { BASE_URL: "http://tools.test" };
  const LOCAL = { HOST: "", RATE_LIMIT: "", CHALLENGE_SECRET: "" };

  test.each<[Record<string, string>, readonly string[]]>([
    [{}, []],
    [{ CHALLENGE_SECRET: "" }, ["CHALLENGE_SECRET is not set"]],
    [{ ...KEYS, CHALLENGE_SECRET: "" }, []],
    [{ RATE_LIMIT: "" }, ["Behind a proxy, set TRUSTED_PROXIES"]],
    [{ RATE_LIMIT: "", TRUSTED_PROXIES: "10.0.0.0/8" }, []],
    [{ RATE_LIMIT: "off" }, []],
    [{ ...API, LISTMONK_URL: "http://0.0.0.0:1" }, ["LISTMONK_URL is plain http to another"]],
    [PLAIN, ["BASE_URL is plain http: browsers solve the challenge only over https"]],
    [{ ...PLAIN, HOST: "127.0.0.1" }, ["BASE_URL is plain http"]],
    [{ BASE_URL: "http://localhost:3000" }, []],
    [{ BASE_URL: "https://tools.test" }, []],
    [LOCAL, []],
  ])("with %j: %j", (given, wanted) => {
    const usual = { RATE_LIMIT: "10", HOST: "0.0.0.0", CHALLENGE_SECRET: SECRET };
    const environment = { ...usual, ...given };
    const config = readSignupConfig(environment);
    const isPublic = !isLocalServer(environment);
    const warnings = [...findWeakSettings(environment, config, isPublic)];
    expect(warnings.map((text, at) => text.slice(0, wanted[at]?.length))).toEqual([...wanted]);
    expect(warnings.join("\n")).not.toInclude(VALUE);
  });
});
