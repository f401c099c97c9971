/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import * as v from "valibot";
import { BetaSignupSchema, REFERRALS } from "../../../schemas/signup.ts";
import { announce } from "../announce.ts";
import { Note } from "../components.tsx";
import { suggestAddress } from "./suggest-address.ts";

/** What the server tells the form in the page. */
export interface SignupSettings {
  /** Of Cloudflare's Turnstile; without it, the challenge is the server's own. */
  readonly siteKey: string | undefined;
  /** Whether a message to confirm the address follows; undefined as long as the newsletter has not said so. */
  readonly asksToConfirm: boolean | undefined;
  readonly privacyUrl: string | undefined;
  /** The URL where the site accepts signups. */
  readonly site: string;
}

interface Status {
  readonly kind: "progress" | "failure" | "thanks";
  readonly text: string;
}

/** Sends a signup. Never throws: a failure is an outcome too. */
export type SendSignup = (
  signup: Readonly<Record<string, string>>,
  slot: HTMLElement,
  settings: SignupSettings,
) => Promise<Status>;

interface SignupFormProps extends SignupSettings {
  /** The call to action that led to the form. */
  readonly ctaSource: "hero" | "footer";
  /** What signs people up. The server has none. */
  readonly send?: SendSignup;
}

/**
 * The newsletter signup. Its controls keep what is typed, and have the names of the API's fields, but for
 * the honeypot. The method is POST so that no address can get into a URL if the script fails to load.
 */
export function SignupForm({ send, ctaSource, ...settings }: SignupFormProps) {
  const { siteKey, privacyUrl, asksToConfirm } = settings;
  const form = useRef<HTMLFormElement>(null);
  const challenge = useRef<HTMLDivElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  /** The address that was probably meant. The form is not sent until the user accepts or declines it. */
  const [suggestion, setSuggestion] = useState<string>();
  const [status, setStatus] = useState<Status>();
  const confirmedAddress = useRef("");
  /** Current even before the next rendering. */
  const isBusy = useRef(false);
  const read = () => (form.current ? readSignup(form.current) : {});

  async function submit() {
    if (!send || !challenge.current || isBusy.current) return;
    const signup = read();
    const found = findProblems(signup);
    const [invalid] = Object.keys(found);
    const { email = "" } = signup;
    const isAsked = invalid === undefined && email !== confirmedAddress.current;
    const meant = isAsked ? suggestAddress(email) : undefined;
    setProblems(found);
    setSuggestion(meant);
    if (meant !== undefined) announce(`Did you mean ${meant}?`);
    if (invalid !== undefined || meant !== undefined) {
      // The buttons of a suggestion are drawn first.
      setTimeout(() => document.getElementById(`signup-${invalid ?? "suggestion"}`)?.focus());
      return;
    }
    isBusy.current = true;
    setStatus({ kind: "progress", text: "Signing you up…" });
    setStatus(await send(signup, challenge.current, settings));
    isBusy.current = false;
  }

  /** Goes on with the signup. */
  function confirm(address: string) {
    const field = form.current?.elements.namedItem("email");
    if (field instanceof HTMLInputElement) field.value = address;
    confirmedAddress.current = address;
    void submit();
  }

  const title = <h2 id="signup-title">Hear about new tools</h2>;
  if (status?.kind === "thanks")
    return (
      <>
        {title}
        {/* The focused button is gone. */}
        <div class="thanks" tabIndex={-1} ref={(thanks) => thanks?.focus()}>
          <Note kind="good">
            <p>{status.text}</p>
          </Note>
        </div>
      </>
    );
  return (
    <>
      {title}
      <p class="quiet">
        We send you one short message when there is a new tool, and nothing in between.
        <span class="needs-no-script"> To sign up, turn on JavaScript.</span>
      </p>
      <form
        class="needs-script"
        ref={form}
        method="post"
        noValidate
        aria-labelledby="signup-title"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onInput={() => {
          const left = Object.entries(findProblems(read())).filter(([name]) => name in problems);
          setProblems(Object.fromEntries(left));
          setSuggestion(undefined);
        }}
      >
        <input type="hidden" name="ctaSource" value={ctaSource} />
        {/* A browser may change what is typed into a field of type "email" to another person's address. */}
        <SignupField
          required
          name="email"
          label="E-mail"
          problem={problems.email}
          inputMode="email"
          autoComplete="email"
        >
          {suggestion !== undefined && (
            <Note kind="info">
              <p>
                Did you mean <strong>{suggestion}</strong>?
              </p>
              <div class="line">
                <button
                  type="button"
                  class="small"
                  id="signup-suggestion"
                  onClick={() => confirm(suggestion)}
                >
                  Yes<span class="visually-hidden">, {suggestion}</span>
                </button>
                <button
                  type="button"
                  class="bare small"
                  onClick={() => confirm(read().email ?? "")}
                >
                  No, keep it
                </button>
              </div>
            </Note>
          )}
        </SignupField>
        <SignupField
          required
          name="name"
          label="Name"
          problem={problems.name}
          autoComplete="name"
        />
        <select id="signup-referral" name="referral" aria-label="How you found us (optional)">
          <option value="">How you found us (optional)</option>
          {REFERRALS.map((referral) => (
            <option value={referral}>{REFERRAL_LABELS[referral]}</option>
          ))}
        </select>
        <SignupField
          name="referralOther"
          label="Where was it? (optional)"
          problem={problems.referralOther}
          autoComplete="off"
        />
        <Honeypot />
        {siteKey === undefined ? (
          <div class="challenge" hidden ref={challenge} />
        ) : (
          <div class="challenge turnstile" ref={challenge}>
            <small>Cloudflare Turnstile checks that you are human.</small>
          </div>
        )}
        {/* `disabled` would lose the focus, and `aria-busy` would keep the status from being announced. */}
        <button type="submit" class="primary" aria-disabled={status?.kind === "progress"}>
          Sign up
        </button>
        <div class="status" role="status">
          {status && (
            <Note kind={status.kind === "failure" ? "bad" : "info"}>
              <p>{status.text}</p>
            </Note>
          )}
        </div>
        <small>
          {asksToConfirm === true && "A message with a link to confirm your address follows. "}
          {privacyUrl !== undefined && <a href={privacyUrl}>Privacy policy</a>}
        </small>
      </form>
    </>
  );
}

interface SignupFieldProps {
  readonly name: string;
  readonly label: string;
  readonly problem?: string | undefined;
  readonly required?: boolean;
  readonly inputMode?: "email";
  readonly autoComplete?: string;
  /** A question about what is typed. */
  readonly children?: ComponentChildren;
}

function SignupField({ name, label, problem, children, ...rest }: SignupFieldProps) {
  const id = `signup-${name}`;
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        {...{ ...rest, id, name }}
        type="text"
        aria-invalid={problem !== undefined}
        aria-describedby={problem && `${id}:problem`}
      />
      {problem !== undefined && (
        <Note kind="bad" id={`${id}:problem`}>
          <p>{problem}</p>
        </Note>
      )}
      {children}
    </div>
  );
}

/** A field that bots fill in, and that people neither see nor reach; nor do password managers. */
const Honeypot = () => (
  <p class="visually-hidden" aria-hidden="true">
    <label for="signup-website">Leave this empty</label>
    <input
      id="signup-website"
      name="website"
      tabIndex={-1}
      autoComplete="off"
      data-1p-ignore
      data-bwignore
      data-lpignore="true"
    />
  </p>
);

/** The problem of each invalid field, by its name. */
type Problems = Readonly<Partial<Record<string, string>>>;

/** Finds the fields that the API would reject. */
function findProblems(signup: Readonly<Record<string, string>>): Problems {
  const { issues = [] } = v.safeParse(BetaSignupSchema, signup);
  const invalid = issues.map(({ path }) => String(path?.[0]?.key));
  const messages: Problems = {
    email: describeAddress(signup.email ?? ""),
    name:
      signup.name === undefined
        ? "Enter your name."
        : "Enter your name, in 2 to 200 characters and without a link.",
    referralOther: "Say where in 2 to 120 characters, or leave this empty.",
  };
  return Object.fromEntries(Object.entries(messages).filter(([name]) => invalid.includes(name)));
}

/** What an address lacks that cannot be one. */
function describeAddress(email: string): string {
  if (email === "") return "Enter your e-mail address, such as ada@example.com.";
  const [, domain] = email.split("@");
  const lack = domain === undefined ? "The @ is missing." : "The part after @ is missing.";
  return `${domain ? "This is no e-mail address." : lack} An address looks like ada@example.com.`;
}

const REFERRAL_LABELS: Readonly<Record<(typeof REFERRALS)[number], string>> = {
  twitter: "X (Twitter)",
  reddit: "Reddit",
  hackernews: "Hacker News",
  producthunt: "Product Hunt",
  linkedin: "LinkedIn",
  discord: "Discord",
  other: "Somewhere else",
};

/** The filled-in fields of the form, by the API's names. */
function readSignup(form: HTMLFormElement): Readonly<Record<string, string>> {
  const data = new FormData(form);
  const text = (name: string) =>
    String(data.get(name) ?? "")
      .replace(/\s+/g, " ")
      .trim();
  const fields = {
    email: withAsciiDomain(text("email")),
    name: text("name"),
    ctaSource: text("ctaSource"),
    referral: text("referral"),
    referralOther: text("referralOther"),
    honeypot: text("website"),
  };
  // The API takes no other source without its name.
  if (fields.referralOther === "" && fields.referral === "other") fields.referral = "";
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

/**
 * An address with its domain as DNS has it (UTS 46). What is no domain stays: a URL would lose `/x`, and
 * read `%41` as a letter.
 */
function withAsciiDomain(email: string): string {
  const [, local, domain] = /^(\p{ASCII}+)@((?:[^\p{ASCII}]|[A-Za-z0-9.-])+)$/u.exec(email) ?? [];
  const url = `http://${domain}`;
  if (domain === undefined || /^\p{ASCII}*$/u.test(domain) || !URL.canParse(url)) return email;
  return `${local}@${new URL(url).hostname}`;
}
