import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Service } from "../service.ts";
import type { Html } from "./html.ts";
import { SignupPlace } from "./signup/signup-place.tsx";

/** For the pages that are still made of templates. */
export const signupForm = (
  service: Service,
  { ctaSource }: { readonly ctaSource: "hero" | "footer"; readonly idPrefix: string },
): Html => ({ markup: renderToString(h(SignupPlace, { service, ctaSource })) });
