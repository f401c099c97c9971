export { createApp } from "./app.ts";
export { StartupError } from "./config.ts";
export { jsonLog, type Log, type LogEntry } from "./log.ts";
export { serve } from "./main.ts";
export type { Service } from "./service.ts";
