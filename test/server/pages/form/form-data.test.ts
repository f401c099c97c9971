import { describe, expect, test } from "bun:test";
import { editRows, parseForm } from "../../../../server/pages/form/form-data.ts";

const read = (query: string) => parseForm(new URLSearchParams(query));

describe("the names of a form's controls are paths", () => {
  test.each<[string, Record<string, unknown>]>([
    ["name=a", { name: "a" }],
    ["args[0]=a&args[1]=b", { args: ["a", "b"] }],
    ["filters[0].from[1]=b&filters[0].from[0]=a", { filters: [{ from: ["a", "b"] }] }],
    ["zaps[1].name=b&zaps[0].name=a", { zaps: [{ name: "a" }, { name: "b" }] }],
    ["env[0].key=A&env[0].value=1", { env: [{ key: "A", value: "1" }] }],
    ["filters%5B0%5D.has_words%5B0%5D=a+b", { filters: [{ has_words: ["a b"] }] }],
  ])("%s", (query, data) => {
    expect(read(query)).toEqual(data);
  });

  test("rows are numbered again, in their order", () => {
    expect(read("args[7]=c&args[2]=a&args[10]=d&args[3]=b")).toEqual({
      args: ["a", "b", "c", "d"],
    });
  });

  test("of a name that comes twice the last one counts", () => {
    expect(read("name=a&name=b&args[0]=c&args[0]=d")).toEqual({ name: "b", args: ["d"] });
  });
});

describe("no field's name", () => {
  test.each([
    ...["", "__proto__", "__proto__.a", "a.__proto__.b", "toString", "toString[0]", "Name"],
    ...["a[", "a]", "a[]", "a[x]", "a[-1]", "a[1.5]", "a[0", "a[0]b", "a[9999].x", "[0]", ".a"],
    ...["a..b", "a.", "a[0].", " a", "a ", "a\n", "a[0][0][0][0][0]", "a.b.c.d.e.f", "0", "é"],
  ])("%j", (name) => {
    expect(read(String(new URLSearchParams([[name, "x"]])))).toEqual({});
  });
});

describe("names that contradict each other", () => {
  test.each<[string, Record<string, unknown>]>([
    ["a=x&a[0]=y", { a: ["y"] }],
    ["a[0]=y&a=x", { a: "x" }],
    ["a[0]=x&a[0].b=y", { a: [{ b: "y" }] }],
    ["a.b=x&a[0]=y", { a: { b: "x", 0: "y" } }],
    ["a[0][0][0][0]=x", { a: [[[["x"]]]] }],
  ])("%s", (query, data) => {
    expect(read(query)).toEqual(data);
  });
});

test("names of what every object has are data like any other", () => {
  const data = read(
    "constructor=a&a.constructor=b&a.prototype=c&valueof[0].constructor.prototype=d",
  );
  expect(data).toEqual({
    constructor: "a",
    a: { constructor: "b", prototype: "c" },
    valueof: [{ constructor: { prototype: "d" } }],
  });
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
});

test("ten thousand parameters are read", () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `filters[${at % 1_000}].from[${at % 7}]`);
  expect(read(names.map((name) => `${name}=x`).join("&")).filters).toHaveLength(1_000);
});

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
    ["set env A ${A}", { env: [{ key: "A", value: "${A}" }] }],
    ["set env B ${B}", {}],
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
