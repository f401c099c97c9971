import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { fileSchemas } from "../../src/file-schemas.ts";
import type { JsonSchema } from "../../src/json-schema.ts";

const EXAMPLES = join(import.meta.dir, "../../examples");

/** The example files of each schema, by the starts of their names. */
const FILES: readonly [schema: string, files: RegExp][] = [
  ["mail-filter", /^(?:newsletters|project|receipts)[\w-]*\.json$/],
  ["mail-tests", /\.test\.json$/],
  ["automation-cost", /^zapier/],
  ["price-book", /^price-book/],
  ["mcp-config", /^mcp[\w-]*\.json$/],
];

const read = (name: string): object => JSON.parse(readFileSync(join(EXAMPLES, name), "utf8"));

const schemaOf = (name: string): JsonSchema => {
  const found = fileSchemas.find((schema) => schema.name === name);
  if (!found) throw new Error(`there is no schema ${name}`);
  return found.compose();
};

function validator(schema: JsonSchema) {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  formats.default(ajv);
  return ajv.compile(schema);
}

const fieldsIn = ({ properties = {}, items }: JsonSchema): readonly [string, JsonSchema][] => [
  ...Object.entries(properties).flatMap(([name, field]): [string, JsonSchema][] => [
    [name, field],
    ...fieldsIn(field),
  ]),
  ...(items ? fieldsIn(items) : []),
];

describe("the JSON Schemas for editors", () => {
  test("are those of all kinds of example files", () => {
    expect(fileSchemas.map(({ name }) => name).sort()).toEqual(FILES.map(([name]) => name).sort());
    // The manifest of the MCP registry has a schema of its own.
    const known = readdirSync(EXAMPLES).filter(
      (name) => /\.json$/.test(name) && name !== "server.json",
    );
    expect(known.filter((name) => !FILES.some(([, files]) => files.test(name)))).toEqual([]);
  });

  test.each(FILES)("%s takes the examples with `$schema`, and no other key", (name, files) => {
    const isValid = validator(schemaOf(name));
    const examples = readdirSync(EXAMPLES).filter((file) => files.test(file));
    expect(examples.length).toBeGreaterThan(0);
    for (const file of examples) {
      expect([file, isValid({ $schema: "./x.json", ...read(file) }), isValid.errors]).toEqual([
        file,
        true,
        null,
      ]);
      expect(isValid({ ...read(file), other: 1 })).toBe(false);
    }
  });

  test.each(FILES)("%s explains itself and every field", (name) => {
    const schema = schemaOf(name);
    expect(schema).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    const { $schema: _, ...properties } = schema.properties ?? {};
    const bare = fieldsIn({ properties }).filter(([, field]) => !field.description);
    expect(bare.map(([field]) => field)).toEqual([]);
  });

  test("have examples that they take", () => {
    for (const [name] of FILES) {
      const schema = schemaOf(name);
      const isValid = validator(schema);
      for (const example of schema.examples ?? []) expect(isValid(example)).toBe(true);
    }
  });

  test("have the limits of the command line", () => {
    expect(schemaOf("automation-cost").properties?.zaps?.maxItems).toBe(1_000);
    expect(schemaOf("mail-filter").properties?.filters?.maxItems).toBe(1_000);
  });
});
