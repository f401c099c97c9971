import type { Contract, ResultOf, ToolContract } from "../../../schemas/index.ts";
import type { Tool } from "../../../src/tool.ts";
import type { View } from "../view.ts";

/** The code of a tool and its view, which a page in the browser loads for its own tool alone. */
interface PageCode<C extends Contract = Contract, Result = unknown> {
  tool(): Promise<Tool<C>>;
  view(): Promise<View<Result>>;
}

const LOADERS: { readonly [C in ToolContract as C["name"]]?: PageCode<C, ResultOf<C>> } = {
  mail_filter_generator: {
    tool: async () => (await import("../../../src/mail-filter/mail-filter.ts")).mailFilterTool,
    view: async () => (await import("./mail-filter.ts")).mailFilterView,
  },
};

export const pageCode: ReadonlyMap<string, PageCode> = new Map(Object.entries<PageCode>(LOADERS));
