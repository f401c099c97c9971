import { tools } from "../../../schemas/index.ts";

/**
 * A user's program: it calls the service through the types that were generated from the document,
 * and counts on wrong uses not to compile. It prints one JSON line for each check.
 */
export const clientProgram = (origin: string): string => `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

const client = createClient<paths>({ baseUrl: ${JSON.stringify(origin)} });

function check(name: string, isTrue: boolean | undefined): void {
  console.log(JSON.stringify({ name, problem: isTrue ? "" : "is not so" }));
}

const list = await client.GET("/api/tools");
check("lists the tools", list.data?.tools.length === ${tools.length});

const filters: components["schemas"]["MailFilterInput"] = {
  filters: [{ from: ["@shop.example"], label: "Money", importance: "never" }],
};
const mail = await client.POST("/api/tools/mail-filter-generator", { body: filters });
check("makes a filter by POST", mail.data?.filters[0]?.search === "from:(@shop.example)");

const mailByGet = await client.GET("/api/tools/mail-filter-generator", {
  params: { query: { input: JSON.stringify(filters) } },
});
const isResult = mailByGet.data !== undefined && "file" in mailByGet.data;
check("makes the same by GET", isResult && JSON.stringify(mailByGet.data) === JSON.stringify(mail.data));

const cost = await client.POST("/api/tools/automation-cost-calculator", {
  body: { zaps: [{ action_steps: 2, runs_per_month: 400 }], billing: "annual", team: false },
});
const price: number | undefined = cost.data?.cheapest?.monthly_price;
check("finds a price", price !== undefined && price > 0);

const rejected = await client.POST("/api/tools/mcp-config-generator", { body: { name: "a b" } });
const code: components["schemas"]["Error"]["error"]["code"] | undefined = rejected.error?.error.code;
check("rejects an input with its code", rejected.response.status === 400 && code === "invalid_request");

export const wrongCalls = () => [
  // @ts-expect-error no such path
  client.GET("/api/tools/mail-filter"),
  // @ts-expect-error no such method
  client.POST("/api/health"),
  // @ts-expect-error a field is missing
  client.POST("/api/tools/mcp-config-generator", { body: { command: "npx" } }),
  // @ts-expect-error no such result
  mail.data?.files,
];
`;

/** The strictest that tsc can be; the declarations themselves are checked too. */
export const clientCompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  target: "ES2024",
  lib: ["ES2024", "DOM"],
  types: [],
  module: "ESNext",
  moduleResolution: "Bundler",
  allowImportingTsExtensions: true,
  noEmit: true,
};
