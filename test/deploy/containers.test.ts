import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { readServerConfig } from "../../server/config.ts";
import { readSignupConfig } from "../../server/signup/signup-config.ts";

const read = (name: string) => readFileSync(join(import.meta.dir, "../../deploy", name), "utf8");

/** As Compose reads it, with a value for whatever the environment must give. */
const compose = Object(
  YAML.parse(read("compose.yaml").replaceAll(/\$\{(\w+)[^}]*\}/g, "a-value-of-the-operator")),
);

/** The `NAME=value` pairs of a line that begins like this. */
const pairs = (name: string, start: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    read(name)
      .split("\n")
      .filter((line) => line.startsWith(start))
      .flatMap((line) => line.slice(start.length).split(" "))
      .map((pair) => [pair.split("=")[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
  );

test.each<[string, Readonly<Record<string, unknown>>]>([
  ["compose.yaml", compose.services.handtools.environment],
  ["Dockerfile", pairs("Dockerfile", "ENV ")],
  ["handtools.service", pairs("handtools.service", "Environment=")],
])("what deploy/%s sets is what the configuration takes", (_, set) => {
  const known = new Set(read(".env.example").match(/(?<=^#)[A-Z_]+(?==)/gm));
  expect(Object.keys(set).filter((name) => !known.has(name))).toEqual([]);
  expect(Object.keys(set)).toContain("DATABASE_URL");
  const environment = Object.fromEntries(
    Object.entries(set).map(([name, value]) => [name, String(value)]),
  );
  readServerConfig(environment);
  readSignupConfig(environment);
});

test("the server believes Caddy, which is in the network of compose.yaml, and nobody else", () => {
  const { services, networks } = compose;
  const [{ subnet }] = networks.default.ipam.config;
  expect(services.handtools.environment.TRUSTED_PROXIES).toBe(subnet);
  expect(services.caddy.environment.UPSTREAM).toBe("handtools:3000");
  expect(services.handtools.ports).toBeUndefined();
});
