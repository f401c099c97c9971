import { describe, expect, test } from "bun:test";
import { exchange } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();
const named = runningServer({ identity: { serviceId: "tools-1", description: "Free tools" } });
const stopping = runningServer({ isDraining: () => true });

const asked = async ({ port }: typeof server, method: string, headers = "") => {
  const request = `${method} /api/health HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
  const { status, headers: given, body } = await exchange(port, request, method);
  return { status, type: given["content-type"], kept: given["cache-control"], body };
};

const PASS = { status: 200, type: "application/health+json", kept: "public, max-age=10" };
const FAIL = { status: 503, type: "application/health+json", kept: "no-store" };

describe("the health check", () => {
  test("passes, with no parameters on its media type", async () => {
    expect(await asked(server, "GET")).toEqual({ ...PASS, body: '{"status":"pass"}' });
  });

  test("has the configured identity", async () => {
    const body = '{"status":"pass","serviceId":"tools-1","description":"Free tools"}';
    expect(await asked(named, "GET")).toEqual({ ...PASS, body });
  });

  test("answers 304 to a client that has the answer", async () => {
    const etag = (await server.fetch("/api/health")).headers.get("ETag") ?? "";
    const headers = `If-None-Match: ${etag}\r\n`;
    const known = { status: 304, kept: PASS.kept, body: "" };
    expect(await asked(server, "GET", headers)).toMatchObject(known);
    expect(await asked(stopping, "GET", headers)).toMatchObject({ status: 503 });
  });

  test("fails while the server stops, and is kept by nobody", async () => {
    expect(await asked(stopping, "GET")).toEqual({ ...FAIL, body: '{"status":"fail"}' });
  });

  test("answers HEAD without a body", async () => {
    expect(await asked(server, "HEAD")).toEqual({ ...PASS, body: "" });
    expect(await asked(stopping, "HEAD")).toEqual({ ...FAIL, body: "" });
  });

  test.each([
    ["that want HTML", "Accept: text/html\r\n"],
    ["that want something else", "Accept: application/xml, */*;q=0\r\n"],
    ["of other sites", "Origin: https://agent.test\r\n"],
    ["that want to switch", "Connection: Upgrade\r\nUpgrade: websocket\r\n"],
  ])("is the same for clients %s", async (_, headers) => {
    expect(await asked(server, "GET", headers)).toMatchObject(PASS);
  });
});
