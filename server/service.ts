import {
  type Contract,
  MAX_RESULT_BYTES,
  MAX_TOOL_INPUT_BYTES,
  type PriceBook,
  type ResultOf,
  type ToolContract,
} from "../schemas/index.ts";
import { type RunOptions, runTool, type Tool } from "../src/tool.ts";
import type { Config } from "./config.ts";
import type { Log, RequestObserver } from "./process/log.ts";
import type { SignupService } from "./signup/open-signup.ts";

/** The running service, as the routes know it. */
export interface Service {
  /** The site's own origin, known only once the port is. */
  baseUrl(): string;
  /** The variables of the server, by their names. */
  readonly config: Config;
  readonly tools: readonly Tool<ToolContract>[];
  /**
   * Runs a tool, with the operator's prices.
   *
   * @throws {InvalidInputError} for an input that is rejected.
   */
  run<C extends Contract>(tool: Tool<C>, input: unknown, options?: RunOptions): ResultOf<C>;
  /** The operator's prices, for the page's script, which runs the tools too. */
  readonly priceBook: PriceBook | undefined;
  /** undefined for a site without a newsletter signup. */
  readonly signup: SignupService | undefined;
  readonly log: Log;
  readonly onRequest: RequestObserver | undefined;
  /** True while the service stops: requests in flight finish, and balancers should send no more. */
  isDraining(): boolean;
}

/** The largest message of MCP: arguments of full size with every quote escaped, and their frame. */
export const MAX_MESSAGE_BYTES = 2 * MAX_TOOL_INPUT_BYTES;

/**
 * Runs the tools within the limits of the service.
 *
 * @param today the day in ISO 8601, from which the age of a price counts.
 */
export const createRunner =
  (priceBook?: PriceBook, today = () => new Date().toISOString().slice(0, 10)): Service["run"] =>
  (tool, input, options) =>
    runTool(tool, input, {
      resultBytes: MAX_RESULT_BYTES,
      today: today(),
      ...options,
      priceBook,
    });
