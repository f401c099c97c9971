import { describe, expect, test } from "bun:test";
import { listAddressVariants } from "../../../server/signup/address-variants.ts";

describe("the spellings of an address", () => {
  const BOTH = ["info@xn--mller-kva.example", "info@müller.example"];

  test.each<[string, string, readonly string[]]>([
    ["in ASCII", "Info@Site.TEST", ["info@site.test"]],
    ["as a person writes it", "info@müller.example", BOTH],
    ["as a browser sends it", "info@xn--mller-kva.example", BOTH],
    // As new URL() has it, and registrars: ß, ς and joiners are letters of their own.
    ["with ß", "info@straße.example", ["info@xn--strae-oqa.example", "info@straße.example"]],
    ["with a full-width dot", "info@müller。example", [...BOTH, "info@müller。example"]],
    [
      "of which each label is spelled in another way",
      "info@xn--mller-kva.日本.jp",
      ["info@xn--mller-kva.xn--wgv71a.jp", "info@müller.日本.jp", "info@xn--mller-kva.日本.jp"],
    ],
    ["whose xn-- means nothing", "info@xn--zzzzzz.example", ["info@xn--zzzzzz.example"]],
    ["of a number, as older versions stored it", "a@127.0.0.1", ["a@127.0.0.1"]],
  ])("%s", (_, text, spellings) => expect(listAddressVariants(text)).toEqual(spellings));

  test.each([
    [""],
    ["@müller.example"],
    ["info@müller..example"],
    ["info@a\u200d.example"],
    ["info@mül ler.example"],
    ["info@müller.example, ada@site.test"],
  ])("%j has none", (text) => expect(listAddressVariants(text)).toEqual([]));
});
