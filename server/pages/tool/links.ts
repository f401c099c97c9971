import type { Contract } from "../../../schemas/index.ts";
import { urlWithInput } from "../../../src/describe-tool.ts";
import { toolPagePath } from "../../links.ts";
import type { Sheet } from "./sheet.ts";

export const filePath = (contract: Contract): string => `${toolPagePath(contract)}/file`;

/** Where the file of a result can be downloaded, if it has one. */
export const fileHref = ({ contract, input, outcome }: Sheet): string | undefined =>
  outcome.kind === "done" && outcome.result.file
    ? urlWithInput(filePath(contract), input)
    : undefined;
