import { expect, test } from "bun:test";
import { openApi } from "../../src/index.ts";
import { commandLine } from "../cli/command-line.ts";

test.each([
  [[], "http://localhost:3000"],
  [["--base-url", "https://tools.example"], "https://tools.example"],
  [["--base-url", "https://tools.example/"], "https://tools.example"],
  [["--base-url", "http://[::1]:8080"], "http://[::1]:8080"],
])("handtools openapi %j prints the document of %s", async (flags, baseUrl) => {
  const { exitCode, out, error } = await commandLine(["openapi", ...flags]);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(openApi({ baseUrl }))));
});

test.each([
  "tools.example",
  "https://tools.example/api",
  "https://tools.example//",
  "https://tools.example?",
  "https://tools.example/#a",
  "https://me:pw@tools.example",
  "ftp://tools.example",
  "file:///tmp",
  "https://",
  "",
])("handtools openapi --base-url %j is refused", async (baseUrl) => {
  expect(await commandLine(["openapi", "--base-url", baseUrl])).toMatchObject({
    exitCode: 2,
    out: "",
    error:
      "error: --base-url: must be an origin without a path, such as https://tools.example.com\n",
  });
});
