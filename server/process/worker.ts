import { StartupError, serve } from "../main.ts";
import { errorLine } from "./log.ts";

/*
 * The entry of a worker process (see workers.ts). A worker without its parent would run on unnoticed,
 * so it stops when the channel between them closes.
 */
const stop = () => process.kill(process.pid, "SIGTERM");
process.on("disconnect", stop);
try {
  await serve(process.env, async () => {});
} catch (error) {
  // A restarted worker may find what its parent did not: a database that is gone since.
  if (!(error instanceof StartupError)) throw error;
  for (const problem of error.problems) process.stderr.write(errorLine(problem));
  process.exitCode = error.exitCode;
}
process.off("disconnect", stop);
// The open channel would keep the process alive.
process.disconnect?.();
