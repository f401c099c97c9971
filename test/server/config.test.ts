import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readPriceBook, readServerConfig } from "../../server/config.ts";
import { createRunner } from "../../server/service.ts";
import { parsePostgresUrl } from "../../server/signup/store/postgres-url.ts";
import { automationCostTool } from "../../src/automation-cost/automation-cost.ts";
import { priceBook } from "../../src/index.ts";

describe("readConfig()", () => {
  test.each([
    [{}, { PORT: 3000, HOST: "127.0.0.1", LOG: "json" }],
    [{ PORT: "" }, { PORT: 3000 }],
    [{ HOST: "::1" }, { HOST: "::1" }],
    [{ BASE_URL: "http://localhost:8080/" }, { BASE_URL: "http://localhost:8080" }],
    [{ BASE_URL: "https://bücher.example" }, { BASE_URL: "https://xn--bcher-kva.example" }],
    [{ SERVICE_ID: "a" }, { LOG: "json", SERVICE_ID: "a" }],
    [{}, { SIGNUP: true, MCP: true }],
    [{ MCP: "0" }, { MCP: false }],
    [{ SOURCE_URL: "https://code.test/a?b" }, { SOURCE_URL: "https://code.test/a?b" }],
    [{ METRICS: "10.0.0.5:9100" }, { METRICS: { hostname: "10.0.0.5", port: 9100 } }],
    [{ METRICS: "[::1]:9100" }, { METRICS: { hostname: "::1", port: 9100 } }],
    [{ METRICS: "off" }, { METRICS: undefined }],
  ])("takes %j", (environment, config) => {
    expect(readServerConfig(environment)).toMatchObject(config);
  });

  test.each<[object, string]>([
    [{ PORT: "65536" }, "PORT: must be a whole number from 0 to 65535"],
    [{ HOST: "a b" }, "HOST: must be a host name or an IP address"],
    ...["https://X.test:443/path", "https://x.test?q", "https://a:b@x.test"].map(
      (BASE_URL): [object, string] => [{ BASE_URL }, "BASE_URL: must be an origin without a path"],
    ),
    [{ BASE_URL: "ftp://x.test" }, "BASE_URL: must be an http or https URL"],
    // `docker run --env-file` keeps them.
    [{ BASE_URL: '"https://x.test"' }, "BASE_URL: must be an http or https URL, without quotes"],
    [{ LOG: "yes" }, "LOG: must be json or off"],
    [{ METRICS: "3000" }, "METRICS: must not be the same port as PORT"],
    [{ SOURCE_URL: "javascript:alert(1)" }, "SOURCE_URL: must be an http or https URL"],
  ])("rejects %j", (environment, problem) => {
    expect(() => readServerConfig({ ...environment })).toThrow(problem);
  });

  test.each(["on", "0", "host:", ":9100", "a b:9100"])("rejects METRICS=%s", (METRICS) => {
    expect(() => readServerConfig({ METRICS })).toThrow(
      "METRICS: must be a port from 1 to 65535, or HOST:PORT, or off",
    );
  });
});

describe("readPriceBook()", () => {
  const read = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), "handtools-settings-"));
    try {
      const file = join(folder, "book.json");
      writeFileSync(file, text);
      return createRunner(readPriceBook({ PRICE_BOOK: file }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  const costOfExample = (run: ReturnType<typeof createRunner>) =>
    run(automationCostTool, automationCostTool.contract.example_input);

  test("gives a tool the operator's price book", () => {
    const own = { ...priceBook, as_of: "2020-02-29" };
    expect(costOfExample(createRunner(readPriceBook({})))).toMatchObject({
      prices_as_of: priceBook.as_of,
    });
    expect(costOfExample(read(JSON.stringify(own)))).toMatchObject({ prices_as_of: own.as_of });
  });

  test.each([
    ["secret", /^PRICE_BOOK: .*book\.json: the input must be JSON$/],
    ['{"currency":"EUR","currency":"USD"}', /^PRICE_BOOK: .*book\.json: currency: is given twice$/],
    ['{"currency":"EUR"}', /^PRICE_BOOK: .*book\.json: currency: must be "USD"$/m],
  ])("rejects the book %s", (text, problem) => expect(() => read(text)).toThrow(problem));

  test.if(process.platform !== "win32").each([
    ["a device without an end", "ln -s /dev/zero file", "is not a file"],
    ["a pipe that nobody writes to", "mkfifo file", "is not a file"],
    ["a file that cannot be read as JSON", "head -c 1048576 /dev/zero > file", "must be JSON"],
  ])("rejects %s at once, wherever the configuration names a file", (_, make, problem) => {
    const folder = mkdtempSync(join(tmpdir(), "handtools-files-"));
    try {
      Bun.spawnSync(["sh", "-c", make], { cwd: folder });
      const file = join(folder, "file");
      expect(() => readPriceBook({ PRICE_BOOK: file })).toThrow(problem);
      const url = `postgres://127.0.0.1/x?sslrootcert=${file}`;
      const isRead = problem === "must be JSON";
      if (isRead) parsePostgresUrl(url);
      else expect(() => parsePostgresUrl(url)).toThrow("DATABASE_URL: sslrootcert: is not a file");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.if(process.platform === "linux")("reads a file that has no size, as in /proc", () => {
    expect(() => readPriceBook({ PRICE_BOOK: "/proc/self/status" })).toThrow("must be JSON");
  });
});
