import { expect, test } from "bun:test";
import { tools } from "../../schemas/index.ts";
import { jsonSchema } from "../../src/index.ts";

test("the pattern of forward_to is published letter for letter as the specification has it", () => {
  const filters = jsonSchema(tools[0].input).properties?.filters;
  expect(filters?.items?.properties?.forward_to?.pattern).toBe(
    String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
  );
});
