import { processIo } from "../../../cli/io.ts";
import { runCommandLine } from "../../../cli/run.ts";

/* Runs the command lines that it is sent, and answers with their exit codes. */
process.on("message", async ({ id, argv }: { id: number; argv: readonly string[] }) => {
  process.send?.({ id, code: await runCommandLine(argv, processIo()) });
});
