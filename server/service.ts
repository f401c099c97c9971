import type { Health } from "../schemas/index.ts";
import type { Log } from "./log.ts";
import type { SignupPorts } from "./signup/sign-up.ts";

export type ToolSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What the routes know of the running service. */
export interface Service {
  /** The site's own origin. Known only when the port is. */
  baseUrl(): string;
  /** The optional fields of the health check. */
  readonly identity: Omit<Health, "status">;
  /** By a tool's name: replacements for its built-in data, by the names in its contract. */
  readonly settings: ToolSettings;
  readonly signup: SignupPorts;
  /** Lets the browsers of an origin trial have WebMCP. */
  readonly webMcpTrialToken?: string | undefined;
  readonly log: Log;
  /** Whether the service stops: requests in flight are finished, new ones are not wanted. */
  isDraining(): boolean;
}
