import { expect, test } from "bun:test";
import * as v from "valibot";
import { tools } from "../../src/index.ts";
import { listFields } from "../../src/json-schema.ts";

test("fieldsOf() gives every property of every input a shape that flags and forms know", () => {
  const shapes = tools.map(({ input }) =>
    listFields(input).map(({ name, kind }) => `${name} ${kind}`),
  );
  expect(shapes).toEqual([
    ["filters items"],
    ["zaps items", "billing choice", "team boolean"],
    ["name text", "command text", "args texts", "env map", "url text", "headers map"],
  ]);
});

test("fieldsOf() tells what is required, the defaults and the choices", () => {
  const [zaps, billing] = listFields(tools[1].input);
  expect(zaps).toMatchObject({
    required: true,
    fields: [
      { name: "name", kind: "text", required: false, schema: { maxLength: 200 } },
      { name: "action_steps", kind: "integer", required: true, schema: { minimum: 1 } },
      { name: "runs_per_month", kind: "integer", required: true },
    ],
  });
  expect(billing).toMatchObject({ default: "annual", choices: ["annual", "monthly"] });
});

test("every field of every input is described", () => {
  for (const { input } of tools) {
    for (const field of listFields(input)) {
      const fields = field.kind === "items" ? [field, ...field.fields] : [field];
      for (const { description } of fields) expect(description).not.toBe("");
    }
  }
});

test("fieldsOf() rejects a shape that no flag or form can show", () => {
  const nested = v.strictObject({ deep: v.strictObject({ deeper: v.string() }) });
  expect(() => listFields(nested)).toThrow("The field deep has a shape");
});
