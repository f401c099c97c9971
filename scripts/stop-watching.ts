/*
 * For `npm run dev`: Bun's watch mode continues after the server has stopped, so Ctrl-C must kill the
 * process. Restarts use SIGTERM.
 */
process.once("SIGINT", () => process.kill(process.pid, "SIGKILL"));
