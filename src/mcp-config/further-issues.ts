import { Diagnostics, type Issue, pathTo } from "../issues.ts";
import {
  type GivenFields,
  refuseFields,
  refuseTransport,
  type ServerDiagnostics,
} from "./server.ts";

const FIELDS: ReadonlySet<string> = new Set([
  ...["name", "command", "args", "env", "url", "headers"],
]);

/**
 * What else is wrong with an input that breaks the schema: the fields in which the schema finds
 * nothing are looked at as always, so that all problems can be mended in one go.
 *
 * @param known what the schema finds.
 */
export function furtherIssues(input: unknown, known: readonly Issue[]): readonly Issue[] {
  const paths = new Set(known.map(({ path }) => path));
  if (paths.has("")) return [];
  const diagnostics: ServerDiagnostics = Diagnostics.start();
  const fields = Object.entries<unknown>(Object(input));
  const sound = soundPart(fields, paths);
  // An unknown field may be meant as the command or the URL that is missing.
  const isTransportKnown =
    fields.every(([field]) => FIELDS.has(field)) && !paths.has("command") && !paths.has("url");
  if (isTransportKnown) refuseTransport(sound, diagnostics);
  refuseFields(sound, diagnostics);
  return diagnostics.issues;
}

/** The fields that the schema accepts. An item or a value that it refuses becomes a plain word. */
function soundPart(
  fields: readonly [field: string, value: unknown][],
  paths: ReadonlySet<string>,
): GivenFields {
  const sound = fields
    .filter(([field]) => FIELDS.has(field) && !paths.has(field))
    .map(([field, value]) => [field, soundValue(field, value, paths)]);
  return Object.fromEntries(sound);
}

function soundValue(field: string, value: unknown, paths: ReadonlySet<string>): unknown {
  const soundItem = (key: string | number, item: unknown) =>
    paths.has(pathTo(field, key)) ? SOUND_ITEM : item;
  // Unlike map(), it fills the holes that a list may have.
  if (Array.isArray(value)) return Array.from(value, (item, index) => soundItem(index, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, soundItem(key, item)]),
  );
}

const SOUND_ITEM = "x";
