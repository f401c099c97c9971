/** @jsxImportSource preact */
import type { Service } from "../../service.ts";
import { SignupForm, type SignupSettings } from "./signup-form.tsx";

interface PlaceProps extends Pick<SignupSettings, "ctaSource"> {
  readonly service: Service;
}

/** The newsletter signup, if the site has one. The page's script finds it by its id. */
export function SignupPlace({ service: { signup, baseUrl }, ctaSource }: PlaceProps) {
  if (!signup) return null;
  const { challenge, newsletter, privacyUrl } = signup;
  const settings = {
    ctaSource,
    siteKey: challenge.siteKey,
    hasNewsletter: newsletter !== undefined,
    privacyUrl,
    site: baseUrl(),
  };
  return (
    <section
      class="signup"
      id="signup"
      aria-labelledby="signup-title"
      data-settings={JSON.stringify(settings)}
    >
      <SignupForm {...settings} />
    </section>
  );
}
