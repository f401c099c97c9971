/**
 * Zapier's own list of the steps that are tasks, by the names of its apps in an export. It names
 * few apps as an export does: the others are from public exports.
 */
export const taskRules = {
  source: "https://help.zapier.com/hc/en-us/articles/8496196837261",
  read_on: "2026-10-06",
  /** Paths, Filter, Formatter, Delay and the other apps whose steps do not count as tasks. */
  free_apps: [
    "Branching",
    "Delay",
    "Digest",
    "Filter",
    "Storage",
    "ZapierForms",
    "ZapierFormatter",
    "ZapierInterfaces",
    "ZapierLooping",
    "ZapierManager",
    "ZapierTables",
  ],
  /** The steps after a loop are tasks once for each item. */
  loop_app: "ZapierLooping",
  /** Apps whose steps may count as several tasks, or about which Zapier's pages disagree. */
  uncounted_apps: {
    AI: "AI by Zapier",
    Code: "Code by Zapier",
    LeadRouter: "Lead Router",
    MCPClient: "MCP calls",
    SubZap: "Sub-Zaps",
  },
} as const;
