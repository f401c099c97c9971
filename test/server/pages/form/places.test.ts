import { expect, test } from "bun:test";
import { mailFilterContract, mcpConfigContract } from "../../../../schemas/index.ts";
import { formFields } from "../../../../server/pages/form/form-fields.ts";
import { linkTo, readValues } from "../../../../server/pages/form/values.ts";
import { listFields } from "../../../../src/json-schema.ts";

const filters = [{}, { from: ["", "a"], label: "b" }];
const fields = formFields(listFields(mailFilterContract.input));
const mail = readValues(fields, { filters });

test.each([
  ["filters", "Filters", "filters"],
  ["filters[0]", "Filter 2", "filters[1]"],
  ["filters[0].from", "Filter 2, From", "filters[1].from"],
  ["filters[0].from[0]", "Filter 2, From 2", "filters[1].from[1]"],
  ["filters[0].larger_than_mb", "Filter 2, Larger than MB", "filters[1].larger_than_mb"],
])("in a sent form, where blank rows do not count, %s is %s", (path, words, id) => {
  expect(linkTo(path, mail)).toEqual({ words, id });
});

test.each([
  ["filters[1].from[1]", "Filter 2, From 2"],
  ["filters[0]", "Filter 1"],
])("in a given input, where they do, %s is %s", (path, words) => {
  expect(linkTo(path, readValues(fields, { filters }, true))?.words).toBe(words);
});

test.each([
  ["env.A", "Environment variable 1", "env[0]"],
  ['env["b c"]', "Environment variable 2", "env[1]"],
  ["env.missing", "Environment variables", "env"],
])("the row of a map is found by its key: %s", (path, words, id) => {
  const entries = readValues(formFields(listFields(mcpConfigContract.input)), {
    env: { A: "1", "b c": "2" },
  });
  expect(linkTo(path, entries)).toEqual({ words, id });
});

test.each(["", "filter", "filtersome", "clients[0]"])("there is no place for %p", (path) => {
  expect(linkTo(path, mail)).toBeUndefined();
});
