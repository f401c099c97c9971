import { MAX_READ_FILTERS } from "../../schemas/mail-filter.ts";
import { error, type RejectionWords } from "../findings.ts";
import { thousands } from "../text.ts";

const AGAIN =
  "export the filters again in Gmail: Settings > See all settings > Filters and Blocked Addresses > Export";
const IS_OTHER = "is not Gmail's export (mailFilters.xml)";

/** Why a text is not read as an export. */
export const exportRejections = {
  "too-large": error(() => "must have at most 32 MiB"),
  empty: error(() => `is empty; ${AGAIN}`),
  zip: error(() => "is a ZIP archive; unpack it, and give the mailFilters.xml in it"),
  "web-page": error(
    () =>
      `is a web page, perhaps Google's sign-in, and not Gmail's export (mailFilters.xml); ${AGAIN}`,
  ),
  "not-xml": error(() => `${IS_OTHER}: it is not XML; ${AGAIN}`),
  "broken-xml": error(
    ({ line }: { line: number }) => `${IS_OTHER}: it is not XML near line ${line}; ${AGAIN}`,
  ),
  "cut-off": error(() => `is cut off: its end is missing; ${AGAIN}`),
  entities: error(() => "must not have a DOCTYPE or define entities"),
  "other-root": error(
    ({ name }: { name: string }) => `${IS_OTHER}: it begins with <${name.slice(0, 40)}>; ${AGAIN}`,
  ),
  "too-deep": error(() => `${IS_OTHER}: its tags are nested too deeply; ${AGAIN}`),
  "too-many": error(() => `must have at most ${thousands(MAX_READ_FILTERS)} filters`),
} satisfies RejectionWords;

/** Why an entry of an export is left out. Properties have the names of the export. */
export const leftOut = {
  template: () => "sends a template, which a file cannot hold",
  unknown: (name: string) => `has ${name}, which this tool does not write`,
  repeated: (name: string) => `has ${name} twice, with different values`,
  size: (size: string, unit: string, operator: string) =>
    `has the size ${size} ${unit} (${operator}), which this tool cannot read`,
  broken: (name: string, problem: string) =>
    `has a broken search in ${name}: ${problem.replace(/^has /, "")}`,
  empty: (name: string, value: string) => `${name} is only ${value}`,
  opposite: (name: string) => `has ${name} beside its opposite`,
  value: (field: string, value: string) =>
    `has the ${field} ${value}, which this tool does not know`,
  idle: () => "does nothing in Gmail; its label was perhaps deleted",
  unconditional: () => "has no condition",
  changed: () => "cannot be expressed in this tool's input without a change of meaning",
};
