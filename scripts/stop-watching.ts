/*
 * Loaded by `npm run dev`: Bun's watch mode goes on after the server has stopped, so Ctrl-C has
 * to end the process itself. (For a restart the watch mode raises SIGTERM, not SIGINT.)
 */
process.once("SIGINT", () => process.kill(process.pid, "SIGKILL"));
