import type { TestDatabase } from "../server/signup/store-database.ts";

/** A server of our own that may be treated badly. */
export interface Target {
  readonly pid: number;
  readonly port: number;
  readonly base: string;
  readonly database: TestDatabase;
  /** The same one makes the same inputs. */
  readonly seed: number;
  /** So many in the quick form, so many in the long one. */
  times(quick: number, long: number): number;
}

export interface Scenario {
  readonly title: string;
  /** What the server is configured with. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Does its worst.
   *
   * @returns in figures what was done.
   * @throws {Error} where the server was wrong.
   */
  run(target: Target): Promise<string>;
}
