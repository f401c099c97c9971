import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type Variable, variableHelp, variables } from "../../schemas/variables.ts";
import { variablesByPart } from "../../scripts/write-variables.ts";
import { readServerConfig } from "../../server/config.ts";
import { readSignupConfig } from "../../server/signup/signup-config.ts";

const HEAD = `# The configuration of Handtools, read once at the start. Copy this file, take the # away from
# what you set, and leave no blank around =. What is not set has the value that stands here.`;

/** A comment of as many lines as its words take. */
const comment = (text: string): string => text.replaceAll(/(.{1,98})(?: |$)/g, "# $1\n").trimEnd();

function describeVariable(variable: Variable): string {
  const { name, meaning, default: value } = variable;
  return `${comment(value === undefined ? variableHelp(variable) : meaning)}\n#${name}=${value ?? ""}`;
}

const written = [
  HEAD,
  ...Object.entries(variablesByPart()).flatMap(([part, ofPart]) => [
    `# === ${part} ===`,
    ...ofPart.map(describeVariable),
  ]),
].join("\n\n");

const file = join(import.meta.dir, "../../deploy/.env.example");
if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, `${written}\n`);

test("deploy/.env.example has each variable as the configuration describes it", () => {
  expect(readFileSync(file, "utf8")).toBe(`${written}\n`);
  expect(variables.filter(({ meaning }) => !meaning.endsWith("."))).toEqual([]);
  expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
});

test("the values in the file are the defaults", () => {
  const set = parseEnv(written.replaceAll(/^#(?=[A-Z_]+=)/gm, ""));
  expect(Object.keys(set).length).toBeGreaterThan(25);
  expect(readServerConfig(set)).toEqual(readServerConfig({}));
  // Without a secret of their own both get a random one.
  const secrets = { CHALLENGE_SECRET: "a secret of these tests that is long enough" };
  const read = (environment: object) => readSignupConfig({ ...environment, ...secrets });
  expect(read(set)).toEqual(read({}));
});
