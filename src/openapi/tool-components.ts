import type { Contract } from "../../schemas/index.ts";
import { callTool } from "../call-tool.ts";
import { bareSchema } from "./bare-schema.ts";
import type { Components } from "./document.ts";

/** The components of a tool bear the names of the library's types. */
export const inputName = (contract: Contract): string => `${typeName(contract)}Input`;
export const resultName = (contract: Contract): string => `${typeName(contract)}Result`;

const typeName = ({ function: name }: Contract): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

export const toolSchemas = (contract: Contract): Components["schemas"] => ({
  [inputName(contract)]: bareSchema(contract.input),
  [resultName(contract)]: bareSchema(contract.output),
});

/** The contract's example, and what the tool makes of it. */
export function toolExamples(contract: Contract): Components["examples"] {
  const outcome = callTool(contract.name, contract.example_input);
  if (!outcome.ok) throw new Error(`The example of ${contract.name} does not run`);
  return {
    [inputName(contract)]: { value: contract.example_input },
    [resultName(contract)]: { value: outcome.value },
  };
}
