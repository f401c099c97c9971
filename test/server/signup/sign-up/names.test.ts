import { expect, test } from "bun:test";
import { expectSignedUp, signupSite } from "../../support/signup.ts";

const site = signupSite();

test.each([
  ["Dr.Li", "Dr. Li"],
  ["St.John", "St. John"],
  ["J.R.R.Tolkien", "J.R.R. Tolkien"],
  ["evil.example", "evil. example"],
  ["me@evil.co.uk", "me@evil. co. uk"],
  ["evil\u3002example", "evil\u3002 example"],
  ["Ada. Lovelace...", "Ada. Lovelace..."],
  ["\u202eAda\u202c \u2066\u061cKing\u2069\u200f", "Ada King"],
  ["\u0645\u06cc\u200c\u0631\u0648\u0645", "\u0645\u06cc\u200c\u0631\u0648\u0645"],
  ["\u{1f469}\u200d\u{1f52c} Ada", "\u{1f469}\u200d\u{1f52c} Ada"],
])("the name %j reaches the newsletter as %j", async (name, shown) => {
  expectSignedUp(await site.signUp({ name }));
  expect(site.subscribers).toMatchObject([{ name: shown }]);
});
