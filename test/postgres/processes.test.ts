import { describe } from "bun:test";
import { processCases } from "../server/signup/store/process-cases.ts";
import { postgres } from "../server/support/databases.ts";
import { postgresServer } from "./server.ts";

describe("PostgreSQL in several processes", () => processCases(postgres(postgresServer())));
