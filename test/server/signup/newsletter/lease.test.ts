import { describe } from "bun:test";
import { sqlite } from "../../support/databases.ts";
import { leaseCases } from "./lease-cases.ts";

describe("a newsletter with a lease in SQLite", () => leaseCases(sqlite));
