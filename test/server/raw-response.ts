export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response at the front of the bytes and its length; undefined while it is incomplete. */
export function readResponse(
  bytes: Buffer,
  method: string,
  isClosed: boolean,
): { readonly response: RawResponse; readonly length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...fields] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = "", value = ""] = field.split(/: */, 2);
      return [name.toLowerCase(), field.slice(name.length + 1).trim() || value];
    }),
  );
  const start = headEnd + 4;
  const length =
    bodyLength(method, status, headers) ?? (isClosed ? bytes.length - start : undefined);
  if (length === undefined || bytes.length < start + length) return undefined;
  const body = bytes.subarray(start, start + length).toString("utf8");
  return { response: { status, headers, body }, length: start + length };
}

function bodyLength(
  method: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): number | undefined {
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return 0;
  const announced = headers["content-length"];
  return announced === undefined ? undefined : Number(announced);
}
