import { describe, expect, test } from "bun:test";
import { editRows } from "../../../server/pages/form/form-data.ts";

const DATA = {
  name: "a",
  args: ["x", "y"],
  env: [{ key: "A", value: "1" }],
  filters: [{ label: "a", from: ["p", "q"] }, { label: "b" }],
};
const [first, second] = DATA.filters;

describe("a button of the rows", () => {
  test.each<[string, object]>([
    ["add args", { args: ["x", "y", ""] }],
    ["remove args[0]", { args: ["y"] }],
    ["remove args[1]", { args: ["x"] }],
    ["add env", { env: [{ key: "A", value: "1" }, ""] }],
    ["remove env[0]", { env: [] }],
    ["add filters", { filters: [first, second, ""] }],
    ["remove filters[0]", { filters: [second] }],
    ["add filters[0].from", { filters: [{ label: "a", from: ["p", "q", ""] }, second] }],
    ["remove filters[0].from[1]", { filters: [{ label: "a", from: ["p"] }, second] }],
    ["add filters[1].from", { filters: [first, { label: "b", from: [""] }] }],
    ["add zaps", { zaps: [""] }],
  ])("%s", (command, change) => {
    expect(editRows(DATA, command)).toEqual({ ...DATA, ...change });
  });
});

describe("nothing is changed by", () => {
  test.each([
    ...["", " ", "add", "remove", "clear", "add ", "add  args", "Add args", "destroy args[0]"],
    ...["remove args", "remove args[2]", "remove args[-1]", "remove args[9999]", "remove name"],
    ...["add name", "add name[0]", "add args[0]", "add args.length", "remove filters[0]from[0]"],
    ...["add filters[2].from", "remove filters[2]", "add filters.from", "add filters[0].label"],
    ...["add filters[0].label.x", "remove filters[0].label[0]", "remove env[0].key[0]"],
    ...["add __proto__", "add filters[0].__proto__.x", "remove toString[0]", "add args[0][0][0]"],
  ])("%j", (command) => {
    expect(JSON.stringify(editRows(DATA, command))).toBe(JSON.stringify(DATA));
  });
});

test("the data that was sent is left alone", () => {
  const before = structuredClone(DATA);
  editRows(DATA, "add filters[0].from");
  editRows(DATA, "remove filters[0]");
  expect(DATA).toEqual(before);
});
