import {
  MAX_RESULT_BYTES,
  MAX_TOOL_INPUT_BYTES,
  type PriceBook,
  type ToolContract,
} from "../schemas/index.ts";
import { runTool, type Tool } from "../src/tool.ts";
import type { Config } from "./config.ts";
import type { Log, RequestObserver } from "./process/log.ts";
import type { SignupService } from "./signup/open-signup.ts";

/** The running service, for the routes. */
export interface Service {
  /** The site's origin, known once the port is. */
  baseUrl(): string;
  readonly config: Config;
  readonly tools: readonly Tool<ToolContract>[];
  /**
   * Runs a tool, with the operator's prices.
   *
   * @throws {InvalidInputError}
   */
  readonly run: typeof runTool;
  /** For browser scripts, which run the tools too. */
  readonly priceBook: PriceBook | undefined;
  /** Undefined if SIGNUP is off. */
  readonly signup: SignupService | undefined;
  readonly log: Log;
  readonly onRequest: RequestObserver | undefined;
  /** Whether the service is stopping: it completes requests, but load balancers should send no more. */
  isDraining(): boolean;
}

/** The largest JSON-RPC message: arguments of full size with every quote escaped, and their frame. */
export const MAX_MESSAGE_BYTES = 2 * MAX_TOOL_INPUT_BYTES;

/**
 * Creates a function that runs tools within the limits of the service.
 *
 * @param today returns the day in ISO 8601, to compute the age of prices.
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
