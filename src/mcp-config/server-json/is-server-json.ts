import { isObjectOrArray } from "../values.ts";

/** True for a parsed manifest of the MCP registry, or the registry's answer around one. */
export function isServerJson(value: unknown): boolean {
  const manifest = unwrapped(value);
  if (!isObjectOrArray(manifest)) return false;
  const { $schema, name, packages, remotes } = manifest;
  if (typeof $schema === "string" && SCHEMA.test($schema)) return true;
  const isNamed = typeof name === "string" && (name.includes("/") || "version_detail" in manifest);
  return isNamed && (Array.isArray(packages) || Array.isArray(remotes));
}

/** The address of a schema, with its date. */
const SCHEMA = /^https?:\/\/static\.modelcontextprotocol\.io\/schemas\/(?:([\d-]+)\/)?/;

/** The date of the schema that a manifest follows; "" if it names none, as before 2025-07-09. */
export const schemaDate = (schema = ""): string => SCHEMA.exec(schema)?.[1] ?? "";

/** The manifest in the registry's answer; any other value as it is. */
export const unwrapped = (value: unknown): unknown =>
  isObjectOrArray(value) && isObjectOrArray(value.server) && !("packages" in value)
    ? value.server
    : value;
