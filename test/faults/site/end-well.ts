import { expectSame } from "../../clients/check.ts";
import { NOT_SYNCED } from "./answer.ts";
import type { Site } from "./site.ts";
import { expectTellingLog } from "./site-log.ts";

/** For a site that has none. */
export const NO_FAULT = /(?!)/;

/**
 * SIGTERM ends the server with 0, and its log tells of every signup that failed or was not synced,
 * and of nobody.
 *
 * @param fault what is logged of those that failed.
 */
export async function endWell(site: Site, fault: RegExp): Promise<void> {
  site.signal("SIGTERM");
  expectSame(await site.exited(), 0);
  const log = await site.log();
  expectTellingLog(log, site.answers, fault);
  const warnings = log.lines.filter(({ level }) => level === "warning");
  const unsynced = site.answers.filter(({ outcome }) => outcome === NOT_SYNCED);
  expectSame(warnings.length, unsynced.length);
}
