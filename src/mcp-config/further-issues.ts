import { Diagnostics, type Issue } from "../issues.ts";
import { soundPart } from "../sound-part.ts";
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
  const sound: GivenFields = soundPart(Object(input), FIELDS, "", paths);
  // An unknown field may be meant as the command or the URL that is missing.
  const isTransportKnown =
    Object.keys(Object(input)).every((field) => FIELDS.has(field)) &&
    !paths.has("command") &&
    !paths.has("url");
  if (isTransportKnown) refuseTransport(sound, diagnostics);
  refuseFields(sound, diagnostics);
  return diagnostics.issues;
}
