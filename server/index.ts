export type { RunOptions } from "../src/tool.ts";
export { type App, type AppWithoutElysia, createApp } from "./app.ts";
export { type Environment, StartupError } from "./config.ts";
export type { Log, LogEntry, RequestObserver } from "./http/route.ts";
export { type Print, serve } from "./main.ts";
export { jsonLog } from "./process/log.ts";
export type { ServedOptions, Service, Settings } from "./service.ts";
