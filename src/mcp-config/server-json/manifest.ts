import * as v from "valibot";
import { recordOf } from "../../../schemas/common.ts";
import { isObjectOrArray } from "../json-values.ts";

const scalarSchema = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "must be a string, a number, true or false"),
  v.transform(String),
);

/** A value from the manifest or the user. */
const VALUE_ENTRIES = {
  description: v.optional(v.string()),
  value: v.optional(scalarSchema),
  default: v.optional(scalarSchema),
  format: v.optional(v.string()),
  placeholder: v.optional(v.string()),
  choices: v.optional(v.array(v.string())),
  isRequired: v.optional(v.boolean()),
  isSecret: v.optional(v.boolean()),
};

const FieldSchema = v.object({
  ...VALUE_ENTRIES,
  name: v.optional(v.string()),
  /** The display name of a positional argument. */
  valueHint: v.optional(v.string()),
  /** Variables written as `{name}` in the value. */
  variables: v.optional(recordOf(v.object(VALUE_ENTRIES))),
});

export type ManifestField = v.InferOutput<typeof FieldSchema>;

const NamedFieldsSchema = v.optional(
  v.array(v.object({ ...FieldSchema.entries, name: v.string() }, "is required")),
);

export const PackageSchema = v.object(
  {
    registryType: v.string(),
    identifier: v.pipe(v.string(), v.regex(/^(?!-)\S+$/, "must be the name of a package")),
    version: v.optional(v.string()),
    registryBaseUrl: v.optional(v.string()),
    transport: v.optional(v.object({ type: v.string() })),
    runtimeArguments: v.optional(v.array(FieldSchema)),
    packageArguments: v.optional(v.array(FieldSchema)),
    environmentVariables: NamedFieldsSchema,
  },
  "is required",
);
export type ManifestPackage = v.InferOutput<typeof PackageSchema>;

export const RemoteSchema = v.object(
  {
    type: v.string(),
    url: v.string(),
    headers: NamedFieldsSchema,
    variables: v.optional(recordOf(v.object(VALUE_ENTRIES))),
  },
  "is required",
);
export type ManifestRemote = v.InferOutput<typeof RemoteSchema>;

export const ManifestSchema = v.object(
  {
    $schema: v.optional(v.string()),
    name: v.string(),
    packages: v.optional(v.array(v.unknown()), []),
    remotes: v.optional(v.array(v.unknown()), []),
  },
  "is required",
);

/**
 * Finds the manifest in a parsed server.json or registry response. Undefined for other files.
 * Renames fields to the current schema: until September 2025 they used snake case.
 */
export function findManifest(value: unknown): unknown {
  const { server, packages: ownPackages } = Object(value);
  const manifest = isObjectOrArray(server) && ownPackages === undefined ? server : Object(value);
  const { $schema, name, packages, remotes } = manifest;
  const isNamed = typeof name === "string" && name.includes("/");
  const isManifest =
    (typeof $schema === "string" && SCHEMA_URL.test($schema)) ||
    (isNamed && (Array.isArray(packages) || Array.isArray(remotes)));
  return isManifest ? inCamelCase(manifest) : undefined;
}

/** The URL of a schema, with its date. */
const SCHEMA_URL = /^https?:\/\/static\.modelcontextprotocol\.io\/schemas\/(?:([\d-]+)\/)?/;

/** The date of the manifest's schema, or "" if not set, as before 2025-07-09. */
export const schemaDate = (schema = ""): string => SCHEMA_URL.exec(schema)?.[1] ?? "";

function inCamelCase(value: unknown, keysAreNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => inCamelCase(item));
  if (!isObjectOrArray(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member]) => {
    if (member === null) return [];
    const name = keysAreNames ? key : key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
    return [[name, inCamelCase(member, name === "variables")] as const];
  });
  return Object.fromEntries(entries);
}

/*
 * Placeholders that a release or the template's reader should have filled. Most count only in
 * capitals, because some packages are named `placeholder` or `your-server`.
 */

/** Whether the package has no name yet: `<owner>/name`, `{{package}}`, `$NAME`. */
export const isTemplate = (identifier: string): boolean =>
  /<[^<>]*>|\{[^{}]*\}|\$\{?[A-Z]|PLACEHOLDER|__[A-Z_]+__|%[A-Z_]+%|YOUR[-_]/.test(identifier);

/** True for `{{version}}`, `$VERSION`, `@PLACEHOLDER_VERSION` and the initial version `0.0.0`. */
export const isNoVersion = (version: string): boolean =>
  isTemplate(version) || /^v?0\.0\.0(?:-[a-z-]*)?$/.test(version);

/** True for `https://<host>/mcp` and `https://x.example/{{tenant}}`. `{tenant}` is a variable. */
export const isUrlTemplate = (url: string): boolean => /<[^<>]*>|\{\{[^{}]*\}\}/.test(url);
