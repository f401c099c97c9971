import type { NewsletterConfig } from "./config.ts";
import { listmonkApi } from "./newsletter/listmonk-api.ts";
import { listmonkPublic } from "./newsletter/listmonk-public.ts";
import { newsletterOff } from "./newsletter/off.ts";
import type { Newsletter } from "./ports.ts";

/** The newsletter system as it is configured. */
export function openNewsletter(
  config: NewsletterConfig,
  warn: (problem: string) => void,
): Newsletter {
  if (config.kind === "off") return newsletterOff;
  return config.kind === "api"
    ? listmonkApi({ ...config, warn })
    : listmonkPublic({ ...config, warn });
}
