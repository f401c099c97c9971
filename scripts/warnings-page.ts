import { type Explanation, errorCodes, warningCodes } from "../schemas/codes.ts";
import { tools } from "../schemas/index.ts";

/** `docs/warnings.md`, which has what `handtools explain` prints. `npm run golden` writes it. */
export const warningsPage = (): string =>
  [
    INTRODUCTION,
    ...tools.map(({ name, title }) => indexLine(title, Object.keys(warningCodes[name]))),
    indexLine("[Errors](#errors)", Object.keys(errorCodes)).concat("\n"),
    ...tools.flatMap(({ name, title, command }) => [
      `## ${title}: \`handtools ${command}\`\n`,
      ...Object.entries(warningCodes[name]).map(section),
    ]),
    "## Errors\n",
    ERRORS,
    ...Object.entries(errorCodes).map(section),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");

const INTRODUCTION = `# Warnings and errors

Every warning of the command line ends with its code; \`handtools explain CODE\` prints the same text as this page. In the library and over HTTP every result has \`warnings: [{ code, severity, path, message }]\`. A code is stable: branch on it, never on the message. A warning of the severity \`info\` is worth knowing; one of the severity \`warning\` may surprise or do harm. Typical input gives no warnings.
`;

/** The codes of a part of the page, each a link to its explanation. */
const indexLine = (part: string, codes: readonly string[]): string =>
  `- **${part}:** ${codes.map((code) => `[\`${code}\`](#${code})`).join(", ")}`;

const ERRORS = `The library throws \`InvalidInputError\` with the code \`invalid_request\`; over HTTP an error is \`{ "error": { "code", "message" } }\`.
`;

const section = ([code, { meaning, why, remedy }]: [string, Explanation]): string =>
  `### \`${code}\`\n\n${meaning}\n\n**Why it matters:** ${why}\n\n**What to do:** ${remedy}\n`;
