import type { PrintableTool } from "../src/printable-tool.ts";

/** The tools that the command line offers, by command. Each is loaded without the others. */
export type Catalog = ReadonlyMap<string, () => Promise<PrintableTool>>;
