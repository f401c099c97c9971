import { test } from "bun:test";
import fc from "fast-check";
import { mcpConfig } from "../../src/index.ts";
import { expectMcpConfigPromises } from "../fuzz/mcp-config-promises.ts";
import { localInput, remoteInput } from "./hostile.ts";

for (const [kind, inputs] of Object.entries({ local: localInput, remote: remoteInput })) {
  test(`every client reads a hostile ${kind} server back as it was given`, () => {
    fc.assert(
      fc.property(inputs, (input) => expectMcpConfigPromises(mcpConfig(input), input)),
      { numRuns: 3000 },
    );
  }, 60_000);
}
