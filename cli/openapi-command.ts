import type { Command } from "commander";
import { UsageFailure } from "./failures.ts";
import { exampleHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { onlyValue, valueOption } from "./option.ts";
import { toJsonText } from "./output.ts";

const DEFAULT_BASE_URL = "http://localhost:3000";

/** `handtools openapi`: the OpenAPI document of the HTTP service. */
export function defineOpenapiCommand(command: Command, io: Io): void {
  const baseUrl = valueOption(
    "--base-url <url>",
    `the origin of the service (default: ${DEFAULT_BASE_URL})`,
  );
  command
    .description("Print the OpenAPI 3.1 document of the HTTP service.")
    .addOption(baseUrl)
    .addHelpText(
      "after",
      exampleHelp(["handtools openapi", "handtools openapi --base-url https://tools.example.com"]),
    )
    .action(async () => {
      const { openApi } = await import("../src/openapi/openapi.ts");
      const given = onlyValue(command, baseUrl) ?? DEFAULT_BASE_URL;
      await io.writeOut(toJsonText(openApi({ baseUrl: toOrigin(given) })));
    });
}

/** @throws {UsageFailure} for anything but the origin of an HTTP service. */
function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (isHttp && [url.origin, `${url.origin}/`].includes(text)) return url.origin;
  throw new UsageFailure([
    "--base-url: must be an origin without a path, such as https://tools.example.com",
  ]);
}
