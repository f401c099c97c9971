import { expect } from "bun:test";
import fc from "fast-check";
import { openApi } from "../../src/index.ts";
import { checkProperty } from "../fuzz/check-property.ts";
import { answersOf } from "./generated/expect-answer.ts";
import { INGEST_SECRET } from "./generated/headers.ts";
import { requestsTo } from "./generated/requests.ts";
import { toBytes } from "./generated/to-bytes.ts";
import type { Scenario } from "./scenario.ts";
import { steadyClient } from "./steady-client.ts";

/** The statuses that requests of a client can have; 404 is that of no path in the document. */
const STATUSES = [200, 304, 400, 403, 405, 413, 415];

/** Requests made from the OpenAPI document, and answers compared with it. */
export const generatedRequests: Scenario = {
  title: "whatever is made from the OpenAPI document is answered as it says",
  environment: { SIGNUP_INGEST_SECRET: INGEST_SECRET },

  async run({ base, port, seed, times }) {
    // What is served is what the library makes, whose types are known.
    const document = openApi({ baseUrl: base.replace("127.0.0.1", "localhost") });
    expect(await (await fetch(`${base}/openapi.json`)).text()).toBe(JSON.stringify(document));

    const expectAnswer = answersOf(document);
    const counts = new Map<number, number>();
    const client = steadyClient(port);
    const property = fc.asyncProperty(requestsTo(document), async (request) => {
      const isLast = request.headers.some(([, value]) => value === "close");
      const response = await client.exchange(toBytes(request), request.method, isLast);
      expectAnswer(request, response);
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    });
    const details = await checkProperty(property, { numRuns: times(4_000, 50_000), seed });
    client.end();
    for (const status of STATUSES) expect(counts.get(status) ?? 0).toBeGreaterThan(0);
    return `${details.numRuns} requests, ${[...counts].map(([status, count]) => `${count} x ${status}`).join(", ")}`;
  },
};
