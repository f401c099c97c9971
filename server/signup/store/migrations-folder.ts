import { fileURLToPath } from "node:url";

/** Where the migrations are that drizzle-kit has generated, beside this file also when compiled. */
export const migrationsFolder = (database: "sqlite" | "postgres"): string =>
  fileURLToPath(new URL(`./migrations/${database}`, import.meta.url));
