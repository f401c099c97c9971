import { cachedHandler } from "../http/respond.ts";
import { pageHeaders } from "../pages/layout.tsx";
import type { Service } from "../service.ts";

/** Creates a handler for a page that is the same for everyone. */
export function staticPage(service: Service, render: (service: Service) => string, status = 200) {
  const cache = { "cache-control": status === 200 ? "public, no-cache" : "no-store" };
  return cachedHandler(
    () => render(service),
    () => ({ ...pageHeaders(service), ...cache }),
    { status },
  );
}
