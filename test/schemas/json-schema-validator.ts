import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { JsonSchema } from "../../src/index.ts";

/** An independent validator of JSON Schema 2020-12 that also asserts formats. */
export function compile(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true });
  formats.default(ajv);
  ajv.addFormat("uri", isUri);
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}

/**
 * ajv-formats' `uri`, put right where it leaves RFC 3986: it takes `http://x:port`, with letters
 * for a port, for a path, and it does not know the empty path of `x:` and `x:?q`.
 */
function isUri(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:(?:[?#]|$)/i.test(text)) return isUri(text.replace(":", "://"));
  const host = /^[^:/?#]+:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(text)?.[1];
  if (host !== undefined && !/^(?:\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/.test(host)) return false;
  return typeof fullFormats.uri === "function" && fullFormats.uri(text);
}
