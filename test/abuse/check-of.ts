import { expect } from "bun:test";
import type { Check } from "../clients/check.ts";
import { startServer } from "../server/server-process.ts";
import { sqlite } from "../server/signup/store-database.ts";
import { startHealthProbe } from "./health-probe.ts";
import type { Scenario, Target } from "./scenario.ts";

type Extent = Pick<Target, "seed" | "times">;

/**
 * A scenario against a server of its own, which must be healthy throughout, log no fault, and stop
 * when it is told to.
 */
export const checkOf = (scenario: Scenario, extent: Extent): Check => ({
  title: scenario.title,
  run: async () => {
    const database = await sqlite.create();
    const server = await startServer(["--port", "0"], {
      LOG: "off",
      ...scenario.environment,
      DATABASE_URL: database.url,
    });
    const probe = startHealthProbe(server.port);
    const started = performance.now();
    try {
      const figures = await scenario.run({ ...server, ...extent, database });
      const { rounds, worst, problem } = await probe.report();
      const seconds = Math.round((performance.now() - started) / 1_000);
      process.stdout.write(
        `      ${figures}; ${seconds} s\n      ${rounds} health probes, the slowest ${Math.round(worst)} ms\n`,
      );
      expect(problem).toBe("");
      server.signal("SIGTERM");
      expect(await server.exited(20_000)).toBe(0);
      expect(await server.output()).not.toContain('"level":"error"');
    } finally {
      await probe.end();
      server.signal("SIGKILL");
      await server.exited();
      await database.drop();
    }
  },
});
