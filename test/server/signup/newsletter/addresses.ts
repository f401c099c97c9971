import fc from "fast-check";
import * as v from "valibot";
import { email } from "../../../../schemas/common.ts";

/** Every sign that an address may have before its @, the rare ones as often as the others. */
export const SIGNS = [..."!#$%&'*+/=?^_`{|}~-.", ..."abcxyz019"];

/** Addresses that a signup accepts. */
export const address = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...SIGNS), minLength: 1, maxLength: 20 }),
    fc.constantFrom("site.test", "a-b.site.test", "x.y"),
  )
  .map(([local, domain]) => `${local}@${domain}`)
  .filter((text) => v.is(v.pipe(v.string(), email()), text));
