import { serve } from "./main.ts";

/*
 * The entry of a worker process (see workers.ts). A worker without its parent would run on unnoticed,
 * so it stops when the channel between them closes.
 */
const stop = () => process.kill(process.pid, "SIGTERM");
process.on("disconnect", stop);
await serve(process.env, async () => {});
process.off("disconnect", stop);
// The open channel would keep the process alive.
process.disconnect?.();
