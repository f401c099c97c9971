import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Tells the operator's own servers from other callers: their requests carry a secret, as
 * `Authorization: Bearer <secret>`. Digests are compared, so that the time shows neither the secret
 * nor its length.
 *
 * @param secrets none lets no server in; two let an operator rotate them.
 */
export function serverCallerTest(secrets: readonly string[]): (request: Request) => boolean {
  const digests = secrets.map(digest);
  return (request) => {
    const [, sent] = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (sent === undefined) return false;
    const sentDigest = digest(sent);
    // Every secret is compared, also after a match.
    return digests.map((known) => timingSafeEqual(known, sentDigest)).includes(true);
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
