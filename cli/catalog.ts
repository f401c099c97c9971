import { type Contract, tools } from "../schemas/index.ts";
import { loaders } from "../src/loaders.ts";
import type { Tool } from "../src/tool.ts";

/** The tools that the command line offers, and how to load the code of each. */
export interface Catalog {
  readonly contracts: readonly Contract[];
  /** By the tool's name. */
  readonly loaders: ReadonlyMap<string, () => Promise<Tool>>;
}

export const builtIn: Catalog = { contracts: tools, loaders };
