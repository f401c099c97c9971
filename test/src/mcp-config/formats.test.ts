import { expect, test } from "bun:test";
import fc from "fast-check";
import { stringify } from "smol-toml";
import { writeToml } from "../../../src/mcp-config/formats.ts";
import { tries } from "../../support/runs.ts";

/** Characters that can be seen, and those that TOML escapes: how others are written is our own. */
const text = fc.string({
  unit: fc.constantFrom(...`aZ09 -_.,#=[]{}'"\\\n\t\u007fé漢👩`),
  maxLength: 9,
});
const key = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,9}$/),
  fc.constantFrom("a b", 'x"y', "a.b"),
);
const entry = fc.record({
  command: text,
  args: fc.array(text, { minLength: 1, maxLength: 4 }),
  env: fc.dictionary(key, text, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  enabled_tools: fc.array(text, { minLength: 1, maxLength: 2 }),
});

test("a table of TOML is what smol-toml writes", () => {
  fc.assert(
    fc.property(key, key, entry, (root, name, written) => {
      expect(writeToml(root, name, written)).toBe(stringify({ [root]: { [name]: written } }));
    }),
    tries(300),
  );
});
