import type { GeneratedRequest } from "./requests.ts";

/** The bytes of a request, as a client sends them that keeps the connection. */
export function toBytes({ method, path, query, headers, body, chunk }: GeneratedRequest): Buffer {
  const framing = body && (chunk ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`);
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const lines = [`${method} ${path}${query} HTTP/1.1`, ...fields, ...(framing ? [framing] : [])];
  // The query may have characters above ASCII, which many clients send as they are.
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, query === "" ? "latin1" : "utf8");
  return Buffer.concat([head, ...(body ? (chunk ? inChunks(body, chunk) : [body]) : [])]);
}

/** A body in chunks of this size, with the empty one at its end. */
function inChunks(body: Buffer, size: number): Buffer[] {
  const count = Math.ceil(body.length / size);
  const chunks = Array.from({ length: count }, (_, index) => {
    const bytes = body.subarray(index * size, (index + 1) * size);
    return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, END_OF_LINE]);
  });
  return [...chunks, Buffer.from("0\r\n\r\n")];
}

const END_OF_LINE = Buffer.from("\r\n");
