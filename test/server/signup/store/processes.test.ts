import { describe } from "bun:test";
import { sqlite } from "../../support/databases.ts";
import { processCases } from "./process-cases.ts";

describe("SQLite in several processes", () => processCases(sqlite));
