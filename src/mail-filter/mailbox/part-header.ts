/** The fields of a header that are read, by their names in lower case, without line breaks. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** The description of a body in the header of a mail or of one of its parts. */
export interface PartHeader {
  /** In lower case: `text/plain`. */
  readonly type: string;
  /** The line before each of its parts, without the two hyphens; only of a multipart. */
  readonly boundary?: string | undefined;
  /** False for an attachment and for other content. */
  readonly isText: boolean;
  readonly charset: string;
  /** How the body is encoded, in lower case; empty when it is not. */
  readonly encoding: string;
  readonly disposition: string | null;
  /** The name of an attachment, perhaps in encoded words. */
  readonly filename: string | null;
  /** True when the fields are written so plainly that all parsers read them alike. */
  readonly isPlain: boolean;
}

/** Reads the fields of a header that matter to filters or to MIME. */
export function readFields(header: string): Fields {
  const fields = new Map<string, string[]>();
  for (const [, name = "", colon, written = ""] of header.matchAll(FIELD)) {
    const key = name.toLowerCase();
    if (colon === "" && !key.startsWith("content-")) continue;
    const value = colon === "" ? NOT_PLAIN : unfolded(written);
    const values = fields.get(key);
    // A hostile mail may have thousands of one name.
    if (values && values.length < 100) values.push(value);
    else if (!values) fields.set(key, [value]);
  }
  return fields;
}

const FIELD =
  /(?:^|\n)(from|to|cc|bcc|delivered-to|subject|date|message-id|list-id|list-post|x-gmail-labels|content-type|content-transfer-encoding|content-disposition)[ \t]*(:|(?=\r*\n))((?:[^\n]+|\n[ \t])*)/gi;

/** Stands for a value without a colon, which parsers read differently. */
const NOT_PLAIN = "()";

const unfolded = (value: string): string =>
  (value.includes("\n") ? value.replace(/\r*\n/g, "") : value).trim();

/** Reads the fields of MIME, but for their rarer forms. */
export function readPartHeader(fields: Fields): PartHeader {
  const first = (name: string, missing: string) => fields.get(name)?.[0] ?? missing;
  const [written, given] = [first("content-type", "text/plain"), first("content-disposition", "")];
  const encoding = first("content-transfer-encoding", "").toLowerCase();
  const [type, disposition] = [structured(written), structured(given)];
  const isMultipart = type.value.startsWith("multipart/");
  return {
    type: type.value,
    boundary: isMultipart ? type.parameters.get("boundary") : undefined,
    // A part without a proper type is read as text.
    isText: disposition.value !== "attachment" && !OTHER_TYPE.test(type.value),
    charset: (type.parameters.get("charset") ?? "utf-8").toLowerCase(),
    encoding,
    disposition: disposition.value || null,
    filename: disposition.parameters.get("filename") || type.parameters.get("name") || null,
    isPlain:
      PLAIN.test(written) && (given === "" || PLAIN.test(given)) && /^[\w-]*$/.test(encoding),
  };
}

const OTHER_TYPE = /^(?!text\/(?:plain|html)\b|multipart\/)[\w-]+\/[\w.+-]+$/;

/** A value and its parameters, without comments, escapes and what RFC 2231 adds. */
const PLAIN = /^[\w./+-]+(?:\s*;\s*[\w-]+=(?:"[^"\\\r]*"|[^\s"();\\]+))*\s*;?$/;

/** `text/plain; charset="utf-8"`: of a parameter that is given twice, the first one counts. */
function structured(field: string) {
  const [value = ""] = field.split(";", 1);
  const parameters = new Map<string, string>();
  if (value === field) return { value: value.trim().toLowerCase(), parameters };
  for (const [, name = "", quoted, bare = ""] of field.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted ?? bare.trim());
  }
  return { value: value.trim().toLowerCase(), parameters };
}

const PARAMETER = /;\s*([\w-]+)\s*=\s*(?:"([^"]*)"?|([^";]*))/g;
