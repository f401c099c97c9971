import type { Command, Option } from "commander";
import { mcpConfigContract } from "../../schemas/mcp-config.ts";
import { choiceOption, onlyChoice } from "../options.ts";

const { values, description } = mcpConfigContract.text.options.transport;

/** The option for what a JSON input cannot say. */
export const transportOption = (): Option =>
  choiceOption("--transport <name>", description, values).helpGroup("Input:");

/** @throws {UsageError} for an unknown one, and when it is given twice. */
export const readTransport = (command: Command, option: Option) =>
  onlyChoice(command, option, values);
