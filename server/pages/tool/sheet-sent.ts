import { type Contract, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import { fieldsOf } from "../../../src/fields.ts";
import { Refusal } from "../../http/error.ts";
import { parseJson } from "../../http/request.ts";
import { editRows } from "../form/edit-rows.ts";
import { formData } from "../form/form-data.ts";
import {
  NO_JSON,
  type Settings,
  type Sheet,
  sheetOfForm,
  sheetOfInput,
  sheetOfProblem,
  TOO_LARGE,
} from "./sheet.ts";

/** The parameter of the buttons that change a form's rows. */
const COMMAND = "do";

/**
 * The sheet that was asked for: of an `input` in JSON, or of a form's fields. Undefined when the
 * parameters have neither, as those of a campaign.
 */
export function sheetSent(
  contract: Contract,
  parameters: URLSearchParams,
  settings: Settings,
): Sheet | undefined {
  const input = parameters.get("input");
  if (input !== null) return sheetOfText(contract, input, settings);

  const command = parameters.get(COMMAND) ?? "";
  if (command === "clear") return sheetOfForm(contract, {}, settings);
  const data = formData(parameters);
  const isForm = fieldsOf(contract.input).some(({ name }) => Object.hasOwn(data, name));
  return isForm ? sheetOfForm(contract, editRows(data, command), settings) : undefined;
}

function sheetOfText(contract: Contract, text: string, settings: Settings): Sheet {
  if (Buffer.byteLength(text) > MAX_TOOL_INPUT_BYTES) return sheetOfProblem(contract, TOO_LARGE);
  try {
    return sheetOfInput(contract, parseJson(text), settings);
  } catch (error) {
    if (error instanceof Refusal) return sheetOfProblem(contract, NO_JSON);
    throw error;
  }
}
