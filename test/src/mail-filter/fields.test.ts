import { expect, test } from "bun:test";
import { mailFilterContract, PROPERTY_NAMES } from "../../../schemas/mail-filter.ts";
import { fieldsOf } from "../../../src/json-schema.ts";
import { ACTION_FIELDS, ACTIONS, CONDITIONS } from "../../../src/mail-filter/fields.ts";

test("every field of a filter but its name is a condition or an action", () => {
  const [filters] = fieldsOf(mailFilterContract.input);
  const fields = filters?.kind === "items" ? filters.fields.map(({ name }) => name) : [];
  const known: string[] = ["name", ...CONDITIONS, ...ACTION_FIELDS];
  expect(known.sort()).toEqual(fields.sort());
});

test("each action has a property of its own", () => {
  const properties = ACTIONS.map(({ property }) => property);
  expect(new Set(properties).size).toBe(properties.length);
  expect(PROPERTY_NAMES).toEqual(expect.arrayContaining(properties));
});
