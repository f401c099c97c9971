import { describe, expect, test } from "bun:test";
import { mailFilterContract, PROPERTY_NAMES } from "../../../schemas/mail-filter.ts";
import { toJsonSchema } from "../../../src/json-schema.ts";
import {
  ACTION_FIELDS,
  ACTIONS,
  CONDITIONS,
  type FilterAction,
} from "../../../src/mail-filter/filter-fields.ts";
import { createMailFilters, parseMailFilters } from "../../../src/mail-filter/index.ts";
import everyField from "../../golden/mail-filter/every-field/input.json" with { type: "json" };
import { oneFilter } from "./support.ts";

const { filters } = toJsonSchema(mailFilterContract.input).properties ?? {};
const schemas = filters?.items?.properties ?? {};
const filterFields = Object.keys(schemas);

test("every field of a filter but its name is a condition or an action", () => {
  const known: string[] = ["name", ...CONDITIONS, ...ACTION_FIELDS];
  expect(known.sort()).toEqual(filterFields.toSorted());
});

test("the golden case every-field uses every field but delete, which does not go with the others", () => {
  const [filter = {}] = everyField.filters;
  expect([...Object.keys(filter), "delete"].sort()).toEqual(filterFields.toSorted());
});

test("every action is written, in the order in which Gmail exports them", () => {
  const actions = Object.fromEntries(
    ACTIONS.map((action) => [action.field, samplesOf(action)[0]] as const),
  );
  const written: string[] = ACTIONS.filter(
    ({ field, value }) => value === undefined || value === actions[field],
  ).map(({ property }) => property);
  const { properties } = oneFilter({ ...actions, from: ["a@x.com"] });
  expect(Object.keys(properties)).toEqual([
    "from",
    ...PROPERTY_NAMES.filter((name) => written.includes(name)),
  ]);
});

describe("a filter is read from the file as it was written", () => {
  const samples = ACTIONS.flatMap((action) =>
    samplesOf(action).map((value) => ({ field: action.field, property: action.property, value })),
  );
  test.each(samples)("with $property for $value", ({ field, property, value }) => {
    const filter = { name: "N", from: ["a@x.com"], [field]: value };
    const { content } = createMailFilters({ filters: [filter] }).file;
    expect(content).toContain(`name="${property}"`);
    expect(parseMailFilters(content).filters).toEqual([filter]);
  });
});

/** Values of an action's field, by its schema. */
function samplesOf({ field, value }: FilterAction): readonly unknown[] {
  if (value !== undefined) return [value];
  const { type, enum: choices } = schemas[field] ?? {};
  if (choices) return choices;
  return type === "boolean" ? [true] : ["me@y.com"];
}
