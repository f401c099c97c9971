import type { Contract, ResultOf, TextOptionsOf, Warning } from "../schemas/index.ts";
import type { Tool } from "./tool.ts";

/** A result as text for a terminal or a file, and the warnings that concern that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** A tool whose results can also be written as text. */
export interface PrintableTool<C extends Contract = Contract> extends Tool<C> {
  /** The product alone, ending with a newline. */
  render(result: ResultOf<C>, options: TextOptionsOf<C>): Rendering;
}
