import { type Explanation, errorCodes, warningCodes } from "../schemas/codes.ts";
import { tools } from "../schemas/index.ts";

/** Composes `docs/warnings.md` from codes.json. `npm run golden` writes it. */
export const warningsPage = (): string =>
  [
    INTRODUCTION,
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

Every warning of the command line ends with its code; \`handtools explain CODE\` also says why it matters. In the library and over HTTP every result has \`warnings: [{ code, severity, path, message }]\`. A code is stable: branch on it, never on the message. A warning of severity \`info\` is good to know; one of severity \`warning\` means that the result may surprise you or do harm.
`;

const ERRORS = `The library throws \`InvalidInputError\` with the code \`invalid_request\`; over HTTP an error is \`{ "error": { "code", "message" } }\`.
`;

const section = ([code, { meaning, remedy }]: [string, Explanation]): string =>
  `### \`${code}\`\n\n${meaning} ${remedy}\n`;
