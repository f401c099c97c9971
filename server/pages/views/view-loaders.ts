import type { Contract, ResultOf, ToolContract } from "../../../schemas/index.ts";
import type { View } from "../view.ts";

/** A page in the browser loads the view of its own tool alone. */
const LOADERS: { readonly [C in ToolContract as C["name"]]: () => Promise<View<ResultOf<C>>> } = {
  mail_filter_generator: async () => (await import("./mail-filter.ts")).mailFilterView,
  automation_cost_calculator: async () => (await import("./automation-cost.ts")).automationCostView,
  mcp_config_generator: async () => (await import("./mcp-config.ts")).mcpConfigView,
};

const loaders: ReadonlyMap<string, () => Promise<View>> = new Map(
  Object.entries<() => Promise<View>>(LOADERS),
);

export const loadView = ({ name }: Contract): Promise<View> | undefined => loaders.get(name)?.();
