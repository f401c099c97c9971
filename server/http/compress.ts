import { brotliCompressSync, constants, gzipSync } from "node:zlib";

export type Coding = "br" | "gzip";

/** The codings we have, the smaller one first. */
const CODINGS: readonly Coding[] = ["br", "gzip"];

/** The coding to send a text in, by the request's Accept-Encoding (RFC 9110, 12.5.3). */
export function codingFor(request: Request): Coding | undefined {
  const accepted = new Map(
    (request.headers.get("accept-encoding") ?? "")
      .toLowerCase()
      .split(",")
      .map((item) => item.split(";").map((part) => part.trim()))
      .map(([name = "", weight]) => [name, weight !== undefined && /^q=0(?:\.0*)?$/.test(weight)]),
  );
  return CODINGS.find((coding) => accepted.get(coding) === false);
}

/** @param effort "most" for what is sent many times, "little" for what is sent once. */
export function compress(
  text: string,
  coding: Coding,
  effort: "most" | "little",
): Buffer<ArrayBuffer> {
  if (coding === "gzip") return gzipSync(text, { level: effort === "most" ? 9 : 5 });
  // 11 would take four times as long for two percent.
  const quality = effort === "most" ? 10 : 4;
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}
