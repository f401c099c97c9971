import type { Quote } from "../../../../schemas/index.ts";
import { money } from "../../../../src/automation-cost/format.ts";

/** What the tasks above the included ones cost, in words: there may be so few that no cent is due. */
export const overagePrice = ({ overage_price }: Quote): string =>
  overage_price === 0 ? "less than a cent" : money(overage_price);
