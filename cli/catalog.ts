import { type Contract, tools } from "../schemas/index.ts";
import { loaders } from "../src/loaders.ts";
import type { PrintableTool } from "../src/printable-tool.ts";

/** The tools that the command line offers, and how to load the code of each. */
export interface Catalog {
  readonly contracts: readonly Contract[];
  /** By the tool's name. */
  readonly loaders: ReadonlyMap<string, () => Promise<PrintableTool>>;
}

export const builtIn: Catalog = { contracts: tools, loaders };
