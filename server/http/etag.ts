/** A strong entity tag of a body. */
export const etagOf = (body: string): string =>
  `"${new Bun.CryptoHasher("sha256").update(body).digest("base64url").slice(0, 27)}"`;

/** Whether the client already has this version (RFC 9110, 13.1.2). */
export function isNotModified(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match");
  if (known === null) return false;
  return (
    known.trim() === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}
