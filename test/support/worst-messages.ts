/** A message to the MCP server that is hostile in its envelope, which is all but a tool's arguments. */
export interface WorstMessage {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The most expensive messages found, each as large as the limit of a message allows. */
export const worstMessages = (): readonly WorstMessage[] => [
  ...ERAS.flatMap((era) => [
    message(era, "a client with wrong icons", { client: { icons: ones } }),
    message(era, "a client with an icon of wrong sizes", { client: { icons: [icon] } }),
    message(era, "a client with a long name", { client: { name: controls } }),
    message(era, "capabilities with wrong extensions", { capabilities: { extensions: keys } }),
    message(era, "capabilities with wrong experiments", { capabilities: { experimental: keys } }),
    message(era, "capabilities that are nested deeply", { capabilities: { extensions: deep } }),
    message(era, "a long protocol version", { version: controls }),
    message(era, "a list as protocol version", { version: ones }),
    message(era, "many keys in _meta", { meta: keys }),
    message(era, "a nested value in _meta", { meta: { a: "DEEP" } }),
    message(era, "a list as progress token", { meta: { progressToken: ones } }),
    message(era, "a list as cursor", { method: "tools/list", params: { cursor: ones } }),
    message(era, "answers to questions that nobody asked", {
      method: "tools/call",
      params: { name: TOOL, arguments: {}, inputResponses: keys },
    }),
    message(era, "a call of a tool with a long name", call(controls)),
    message(era, "a call of a tool with a list as name", call(ones)),
    message(era, "a call with a list as arguments", call(TOOL, ones.slice(8_000))),
    message(
      era,
      "a call with unknown arguments",
      call(TOOL, Object.fromEntries(Object.entries(keys).slice(1_600))),
    ),
    message(era, "a call with a long unknown argument", call(TOOL, { [controls.slice(5_000)]: 1 })),
    message(era, "a subscription to many resources", {
      method: "subscriptions/listen",
      params: { notifications: { resourceSubscriptions: ones } },
    }),
    message(era, "an unknown method with many parameters", { method: "a/b", params: keys }),
    message(era, "a long method", { method: controls }),
    message(era, "a long id", { method: "tools/list", id: controls }),
    message(era, "a long key that is given twice", {
      method: "tools/list",
      params: { [controls.slice(5_000)]: 1, TWICE: 2 },
    }),
    message(era, "a notification with many parameters", notify("notifications/progress", keys)),
    message(
      era,
      "a list as the request that is cancelled",
      notify("notifications/cancelled", { requestId: ones }),
    ),
  ]),
  { title: "a batch", headers: {}, body: JSON.stringify(new Array(600).fill(REQUEST)) },
  { title: "many keys beside id and method", headers: {}, body: json({ ...REQUEST, ...keys }) },
  { title: "a result", headers: {}, body: json({ jsonrpc: "2.0", id: 1, result: keys }) },
  { title: "a wrong error", headers: {}, body: json({ jsonrpc: "2.0", id: 1, error: keys }) },
  ...["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"].flatMap((header) =>
    ["\u009b".repeat(30_000), `=?base64?${Buffer.from(controls).toString("base64")}?=`].map(
      (value, index) => {
        const { headers, body } = message(MODERN, "", call(TOOL));
        const title = `a long ${header}${index === 0 ? "" : " in base64"}`;
        return { title, headers: { ...headers, [header]: value }, body };
      },
    ),
  ),
];

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";

/** The two kinds of message, by the revision of the protocol. */
const ERAS = [LEGACY, MODERN] as const;

const TOOL = "mail_filter_generator";

const REQUEST = { jsonrpc: "2.0", id: 1, method: "ping" } as const;

const ones: readonly number[] = new Array(15_000).fill(1);

const keys: object = Object.fromEntries(
  Array.from({ length: 3_200 }, (_, index) => [index.toString(36).padStart(3, "k"), 1]),
);

/** Characters that turn the direction of a terminal's line. */
const controls = "\u202e".repeat(10_000);

const icon = { src: "", sizes: ones };
const deep = { a: { b: "DEEP" } };

const call = (name: unknown, input: object = {}): Parts => ({
  method: "tools/call",
  params: { name, arguments: input },
});
const notify = (method: string, params: object): Parts => ({ method, id: undefined, params });

interface Parts {
  readonly method?: string;
  readonly id?: string | undefined;
  readonly params?: object;
  readonly meta?: object;
  readonly client?: object;
  readonly capabilities?: object;
  readonly version?: unknown;
}

/** Without a method, what opens a connection in its era. */
function message(era: (typeof ERAS)[number], title: string, parts: Parts): WorstMessage {
  const { capabilities = {}, version: protocolVersion = era } = parts;
  const clientInfo = { name: "a", version: "1", ...parts.client };
  const method = parts.method ?? (era === LEGACY ? "initialize" : "server/discover");
  const modern = {
    "io.modelcontextprotocol/protocolVersion": protocolVersion,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const params = {
    ...(method === "initialize" && { protocolVersion, clientInfo, capabilities }),
    ...parts.params,
    _meta: { ...parts.meta, ...(era === MODERN && modern) },
  };
  const named = "name" in params && typeof params.name === "string" && params.name.length < 100;
  return {
    title: `${era}: ${title}`,
    headers: {
      "MCP-Protocol-Version": era,
      ...(era === MODERN && method.length < 100 && { "Mcp-Method": method }),
      ...(era === MODERN && named && { "Mcp-Name": String(params.name) }),
    },
    body: json({ jsonrpc: "2.0", id: "id" in parts ? parts.id : 1, method, params }),
  };
}

/** JSON that no JavaScript value gives: deep nesting and a repeated key. */
const json = (value: object): string =>
  JSON.stringify(value)
    .replace('"DEEP"', `${"[".repeat(14_900)}${"]".repeat(14_900)}`)
    .replace('"TWICE"', JSON.stringify(controls.slice(5_000)));
