import { describe, expect, test } from "bun:test";
import { tools } from "../../../../schemas/index.ts";
import { toolPagePath } from "../../../../server/links.ts";
import { expectFailedFetch } from "../../support/expect.ts";
import { formPost, shownPage } from "../../support/forms.ts";
import { BASE_URL, runningServer } from "../../support/servers.ts";

const server = runningServer();

const PATH = "/tools/mcp-config-generator";
const FORM = "application/x-www-form-urlencoded";
const FIELDS = "name=files&command=npx&env[0].key=API_KEY&env[0].value=hush";

const post = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = FIELDS) =>
  server.fetch(PATH, { method: "POST", headers, body });

/** A body of so many bytes that is a form. */
const formOfBytes = (size: number): string => {
  const start = "name=files&command=npx&args[0]=";
  return start + "x".repeat(size - start.length);
};

describe("the form of a tool with secrets is posted", () => {
  test("and its page is kept nowhere", async () => {
    const response = await server.fetch(PATH, formPost(FIELDS));
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("etag")).toBeNull();
    const { outcome, texts } = await shownPage(await response.text());
    expect(outcome).toBe("done");
    expect(texts.result).toContain('"API_KEY": "hush"');
  });

  test.each<[string, string, string, string]>([
    ["the buttons of its rows", `${FIELDS}&do=add+env`, "done", "Add"],
    ["clear", `${FIELDS}&do=clear`, "blank", ""],
    ["an input in JSON", `input=${encodeURIComponent('{"name":"a","command":"b"}')}`, "done", ""],
    ["an input that is none", "input={", "rejected", "must be JSON"],
    [
      "an input with a key twice",
      `input=${encodeURIComponent('{"name":"a","command":"b","command":"c"}')}`,
      "rejected",
      '<a href="#command">Command</a>: is given twice',
    ],
    ["a wrong field", "name=%21%21&command=c", "rejected", "letters"],
    ["nothing", "", "blank", ""],
    ["no field of its own", "utm_source=a", "blank", ""],
    ["broken escapes", "name=a&command=%zz", "done", "%zz"],
  ])("with %s", async (_, body, outcome, text) => {
    const response = await server.fetch(PATH, formPost(body));
    expect(response.status).toBe(200);
    const page = await response.text();
    expect((await shownPage(page)).outcome).toBe(outcome);
    expect(page.includes(text)).toBe(true);
  });

  test.each([
    ["sse", '"type": "sse"', false],
    ["http", '"type": "http"', true],
    ["other", '"type": "http"', true],
  ])(
    "with the transport %s, and with an API call if that says the same",
    async (transport, text, hasCall) => {
      const fields = `use=1&name=far&url=https://x.example/mcp&transport=${transport}`;
      const page = await (await server.fetch(PATH, formPost(fields))).text();
      const { outcome, texts } = await shownPage(page);
      expect(outcome).toBe("done");
      expect(texts.result).toContain(text);
      expect(page.includes('id="api-call"')).toBe(hasCall);
      expect(page.includes('id="share"')).toBe(hasCall);
      expect(page.includes("no link for SSE")).toBe(!hasCall);
      expect(page.includes("--transport=sse")).toBe(transport === "sse");
      // The other alternative has none.
      const local = `use=0&name=far&command=npx&transport=${transport}`;
      const { texts: other } = await shownPage(
        await (await server.fetch(PATH, formPost(local))).text(),
      );
      expect(other.result).toContain('"type": "stdio"');
    },
  );

  test.each(tools.map(toolPagePath))("by the script also at %s", async (path) => {
    const response = await server.fetch(path, formPost("do=clear"));
    expect((await shownPage(await response.text())).outcome).toBe("blank");
  });
});

describe("its type", () => {
  test.each([FORM, `${FORM};charset=UTF-8`, `${FORM} ; charset=utf-8`, FORM.toUpperCase()])(
    "may be %s",
    async (type) => {
      expect((await post({ "Content-Type": type })).status).toBe(200);
    },
  );

  test.each([
    "",
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    `${FORM}x`,
    `text/plain;${FORM}`,
    `${FORM}, text/plain`,
  ])("may not be %j", async (type) => {
    const body = new TextEncoder().encode(FIELDS);
    const response = await post(type ? { "Content-Type": type } : {}, body);
    const message = `Content-Type must be ${FORM}`;
    await expectFailedFetch(response, "unsupported_media_type", message);
  });
});

describe("its origin", () => {
  const from = (origin: string) => post({ "Content-Type": FORM, Origin: origin });

  test("may be the site's own", async () => {
    expect((await from(BASE_URL)).status).toBe(200);
  });

  test.each([
    "null",
    "",
    "https://evil.test",
    `${BASE_URL}.evil.test`,
    `${BASE_URL}/`,
    `${BASE_URL}:8443`,
    BASE_URL.replace("https", "http"),
    BASE_URL.toUpperCase(),
  ])("may not be %j", async (origin) => {
    const response = await from(origin);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    await expectFailedFetch(response, "origin_rejected");
  });

  test("may be another name of the server, if the browser says that the page is ours", async () => {
    const headers = { "Content-Type": FORM, Origin: server.origin };
    await expectFailedFetch(post(headers), "origin_rejected");
    await expectFailedFetch(post({ ...headers, "Sec-Fetch-Site": "same-site" }), "origin_rejected");
    expect((await post({ ...headers, "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
  });

  test("may be missing, as it is then not a browser", async () => {
    expect((await post({ "Content-Type": FORM })).status).toBe(200);
  });
});

describe("its size", () => {
  /** A form's names take up room beside the input, so eight times as much as that. */
  const MOST = 131_072;

  test.each([
    [MOST, 200],
    [MOST + 1, 413],
  ])(
    "of %d bytes gives %d, and a page that says how long an input may be",
    async (bytes, status) => {
      const response = await server.fetch(PATH, formPost(formOfBytes(bytes)));
      expect([response.status, response.headers.get("cache-control")]).toEqual([
        status,
        "no-store",
      ]);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const { outcome, texts } = await shownPage(await response.text());
      expect(outcome).toBe("rejected");
      expect(texts.status).toContain("16384 bytes");
    },
  );
});

test("the type is checked before the origin, and both before the size", async () => {
  const evil = { Origin: "https://evil.test" };
  const large = formOfBytes(20_000);
  await expectFailedFetch(
    post({ ...evil, "Content-Type": "text/plain" }, large),
    "unsupported_media_type",
  );
  await expectFailedFetch(post({ ...evil, "Content-Type": FORM }, large), "origin_rejected");
});
