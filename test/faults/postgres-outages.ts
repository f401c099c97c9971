import { openPostgres, type Postgres } from "./means/postgres.ts";
import { openRelay } from "./means/relay.ts";
import { type DatabaseOutage, throughDatabaseOutage } from "./site/database-outage.ts";
import type { Scenario } from "./site/scenario.ts";

/** As many as a server has connections. */
const COMMITS = 5;

/** A PostgreSQL that does not run says so at once. */
const REFUSED = {
  withinMs: 100,
  fault: /ERR_POSTGRES_(?:CONNECTION_(?:REFUSED|CLOSED)|SERVER_ERROR 57P\d\d)/,
};

/** One that says nothing is given up after seven seconds; what is under way has one more. */
const SILENT = { withinMs: 8_000, fault: /postgres-silent|ERR_POSTGRES_CONNECTION_TIMEOUT/ };

const OUTAGES: readonly (readonly [string, (postgres: Postgres) => DatabaseOutage])[] = [
  ["is stopped, and started again", ({ stop, start }) => ({ begin: stop, end: start, ...REFUSED })],
  ["is killed, and started again", ({ kill, start }) => ({ begin: kill, end: start, ...REFUSED })],
  ["is frozen, and thawed", ({ freeze, thaw }) => ({ begin: freeze, end: thaw, ...SILENT })],
];

export const postgresOutages: readonly Scenario[] = [
  ...OUTAGES.map(([what, outage]) => ({
    title: `PostgreSQL ${what}`,
    run: async () => {
      await using postgres = await openPostgres();
      const { url, rows } = postgres;
      return await throughDatabaseOutage({ url, rows, commits: COMMITS }, outage(postgres));
    },
  })),
  {
    title: "PostgreSQL's machine dies, and another takes its place",
    run: async () => {
      await using postgres = await openPostgres();
      using relay = await openRelay(postgres.url);
      const { url, silence, restore } = relay;
      const database = { url, rows: postgres.rows, commits: COMMITS };
      return await throughDatabaseOutage(database, { begin: silence, end: restore, ...SILENT });
    },
  },
];
