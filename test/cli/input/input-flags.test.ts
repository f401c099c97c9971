import { expect, test } from "bun:test";
import fc from "fast-check";
import { tries } from "../../support/runs.ts";
import { commandLine } from "../support.ts";

test("any list of texts and map of flags arrives as it was given", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 99 });
  const entry = fc.tuple(fc.stringMatching(/^N_[\w]{1,9}$/), text);
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1 }),
      fc.uniqueArray(entry, { selector: ([key]) => key, minLength: 1 }),
      async (args, env) => {
        const argv = ["mcp-config", "--client", "zed", "--name", "a", "--command", "b"];
        const { out } = await commandLine([
          ...[...argv, ...args.flatMap((value) => ["--args", value])],
          ...env.flatMap(([name, value]) => ["--env", `${name}=${value}`]),
        ]);
        const given = { command: "b", args, env: Object.fromEntries(env) };
        expect(JSON.parse(out)).toEqual({ context_servers: { a: given } });
      },
    ),
    tries(10),
  );
});
