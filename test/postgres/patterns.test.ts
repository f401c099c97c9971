import { expect, test } from "bun:test";
import { SQL } from "bun";
import fc from "fast-check";
import { exactPattern } from "../../server/signup/newsletter/listmonk-api.ts";
import { address } from "../server/signup/newsletter/addresses.ts";
import { tries } from "../support/runs.ts";
import { postgresServer } from "./server.ts";

const server = postgresServer();

const ADDRESSES = 50;

test("PostgreSQL, which is what matches in listmonk, finds with each pattern that one address", async () => {
  await using sql = new SQL(server().url("postgres"));
  const some = fc.uniqueArray(address, { minLength: ADDRESSES, maxLength: ADDRESSES });
  await fc.assert(
    fc.asyncProperty(some, async (addresses) => {
      const rows = addresses.map((row) => ({ row, pattern: exactPattern(row) }));
      const found = await sql`
        with input as (select * from json_to_recordset(${rows}::json) as (row text, pattern text))
        select one.row, other.row as found
        from input one join input other on other.row ~* one.pattern`;
      expect([...found].sort(byRow)).toEqual(
        addresses.map((row) => ({ row, found: row })).sort(byRow),
      );
    }),
    tries(40),
  );
});

const byRow = (one: { readonly row: string }, other: { readonly row: string }): number =>
  one.row < other.row ? -1 : 1;
