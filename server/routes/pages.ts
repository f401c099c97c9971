import { dataHeaders, type Handler, type HeaderMap, respondFixed } from "../http/response.ts";
import type { Asset } from "../pages/assets/assets.ts";
import { pageHeaders } from "../pages/layout.ts";
import type { Service } from "../service.ts";

export const fixedPage = (
  service: Service,
  render: (service: Service) => string,
  { cacheControl = "public, no-cache", status = 200 } = {},
): Handler =>
  respondFixed(() => render(service), {
    headers: () => new Headers({ ...pageHeaders(service), "Cache-Control": cacheControl }),
    status,
  });

/** A file that the pages load. Texts are compressed; images are already. */
export const assetFile = (
  { type, content, encoding }: Asset,
  headers: HeaderMap = IMMUTABLE,
): Handler =>
  respondFixed(() => (encoding === "utf8" ? content : Buffer.from(content, encoding)), {
    headers: () => dataHeaders(headers, type),
    compressed: encoding === "utf8",
  });

/** The name of an asset holds a hash of its content. */
const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };
