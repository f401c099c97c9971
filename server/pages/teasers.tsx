/** @jsxImportSource preact */
import type { VNode } from "preact";
import {
  automationCostContract,
  mailFilterContract,
  mcpConfigContract,
  type ToolContract,
} from "../../schemas/index.ts";
import { automationCost } from "../../src/automation-cost/automation-cost.ts";
import { automationCostBreakpoints } from "../../src/automation-cost/breakpoints.ts";
import { money } from "../../src/automation-cost/render.ts";
import { mailFilter } from "../../src/mail-filter/mail-filter.ts";
import { mcpConfig } from "../../src/mcp-config/mcp-config.ts";
import type { Service } from "../service.ts";

/** What each tool makes of its example, for its card on the home page. */
export const teasers: { readonly [C in ToolContract as C["name"]]: (service: Service) => VNode } = {
  /** Mail of the first filter, and what happens to it. */
  mail_filter_generator() {
    const input = mailFilterContract.example_input;
    const [{ from = [], subject = [] } = {}] = input.filters;
    const [filter] = mailFilter(input).filters;
    const { label, shouldArchive } = filter?.entries[0]?.properties ?? {};
    return (
      <>
        <ul class="picture">
          {from.map((sender, at) => (
            <li class="mail">
              <bdi>{sender}</bdi> {subject[at]}
            </li>
          ))}
        </ul>
        <Becomes things={[label, shouldArchive && "Archive (skip the inbox)"]} />
      </>
    );
  },
  /** The cheapest plan, and the prices around it. */
  automation_cost_calculator({ priceBook }) {
    const input = automationCostContract.example_input;
    const { cheapest, monthly_tasks } = automationCost(input, { priceBook });
    return (
      <>
        {cheapest && (
          <p>
            <strong>{cheapest.title}</strong>, {money(cheapest.monthly_price)} a month
          </p>
        )}
        <SmallChart
          breakpoints={automationCostBreakpoints(input, { priceBook })}
          tasks={monthly_tasks}
          price={cheapest?.monthly_price ?? 0}
        />
      </>
    );
  },
  /** The server, and the clients that get it. */
  mcp_config_generator() {
    const input = mcpConfigContract.example_input;
    const { clients } = mcpConfig(input);
    return (
      <>
        <p class="picture">
          <code>{[input.command, ...input.args].join(" ")}</code>
        </p>
        <Becomes things={clients.map(({ title }) => title)} />
      </>
    );
  },
};

const Becomes = ({ things }: { readonly things: readonly (string | undefined | false)[] }) => (
  <ul class="picture then" aria-label="becomes">
    {things.map((thing) => thing && <li class="tag">{thing}</li>)}
  </ul>
);

interface SmallChartProps {
  readonly breakpoints: ReturnType<typeof automationCostBreakpoints>;
  readonly tasks: number;
  readonly price: number;
}

const [WIDTH, HEIGHT] = [320, 72];

/** The price a month against the tasks a month, up to the plan after the user's. The line above it says the same. */
function SmallChart({ breakpoints, tasks, price }: SmallChartProps) {
  const shown = breakpoints.slice(0, breakpoints.findLastIndex((at) => at.tasks <= tasks) + 3);
  const last = shown.at(-1)?.included_tasks ?? tasks;
  const most = Math.max(price, ...shown.map((point) => point.monthly_price ?? 0));
  const x = (count: number) => Math.round((WIDTH * count) / last);
  const y = (dollars: number) => Math.round(HEIGHT - 6 - ((HEIGHT - 12) * dollars) / most);
  // Flat up to the included tasks, then straight to the next plan.
  const corners = shown.flatMap(({ tasks: from, included_tasks, monthly_price }) => {
    const level = y(monthly_price ?? most);
    return [`${x(from)} ${level}`, `${x(Math.max(included_tasks ?? from, from))} ${level}`];
  });
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path class="line" d={`M${corners.join("L")}`} />
      <g class="reader">
        <circle cx={x(tasks)} cy={y(price)} r="6" />
      </g>
    </svg>
  );
}
