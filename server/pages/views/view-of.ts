import type { Contract, ResultOf, ToolContract } from "../../../schemas/index.ts";
import type { View } from "../view.ts";
import { automationCostView } from "./automation-cost.ts";
import { mailFilterView } from "./mail-filter.ts";
import { mcpConfigView } from "./mcp-config.ts";

/** A missing or mistyped view does not compile. */
const VIEWS: { readonly [C in ToolContract as C["name"]]: View<ResultOf<C>> } = {
  mail_filter_generator: mailFilterView,
  automation_cost_calculator: automationCostView,
  mcp_config_generator: mcpConfigView,
};

const views: ReadonlyMap<string, View> = new Map(Object.entries<View>(VIEWS));

export function viewOf({ name }: Contract): View {
  const view = views.get(name);
  if (!view) throw new Error(`No view is made for ${name}`);
  return view;
}
