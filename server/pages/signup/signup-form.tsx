/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import * as v from "valibot";
import { BetaSignupSchema, REFERRALS } from "../../../schemas/signup.ts";

/** What the server tells the form in the page. */
export interface SignupSettings {
  /** The call to action that the form belongs to. */
  readonly ctaSource: "hero" | "footer";
  /** Of Cloudflare's Turnstile; without it, the challenge is the server's own. */
  readonly siteKey: string | undefined;
  /** Without a newsletter, no mail follows. */
  readonly hasNewsletter: boolean;
  readonly privacyUrl: string | undefined;
  /** The address where the site accepts signups. */
  readonly site: string;
}

/** Signs somebody up, and says what is under way; resolves to the outcome in words. */
export type SendSignup = (
  signup: Readonly<Record<string, string>>,
  slot: HTMLElement,
  settings: SignupSettings,
  say: (text: string) => void,
) => Promise<{ readonly kind: "thanks" | "failure"; readonly text: string }>;

interface Status {
  readonly kind: "progress" | "failure" | "thanks";
  readonly text: string;
}

/**
 * The newsletter signup. Its controls keep what is typed, and have the names of the API's fields, but for
 * the honeypot. The method is POST so that no address can get into a URL if the script fails to load.
 *
 * @param send what signs people up. The server has none, so its button is disabled.
 */
export function SignupForm({ send, ...settings }: SignupSettings & { readonly send?: SendSignup }) {
  const { ctaSource, siteKey, privacyUrl } = settings;
  const form = useRef<HTMLFormElement>(null);
  const challenge = useRef<HTMLDivElement>(null);
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [status, setStatus] = useState<Status>();
  const [isOther, setOther] = useState(false);
  /** Of this moment; the status is that of the last rendering. */
  const isBusy = useRef(false);
  const findWrong = () => (form.current ? wrongFields(readSignup(form.current)) : []);
  // The browser may have restored the selection of an earlier visit.
  const askWhatOther = () =>
    setOther(form.current !== null && readSignup(form.current).referral === "other");
  useEffect(askWhatOther, []);

  async function submit(event: Event) {
    event.preventDefault();
    if (!send || !form.current || !challenge.current || isBusy.current) return;
    const problems = findWrong();
    setWrong(problems);
    if (problems.length > 0) {
      document.getElementById(`${ctaSource}-${problems[0]}`)?.focus();
      return;
    }
    const say = (text: string) => setStatus({ kind: "progress", text });
    isBusy.current = true;
    setStatus(await send(readSignup(form.current), challenge.current, settings, say));
    isBusy.current = false;
  }

  const question = { wrong, prefix: ctaSource };
  return (
    <>
      <h2 id="signup-title">Hear about new tools</h2>
      <p>
        One short mail whenever there is a new tool, and nothing in between.
        <span class="needs-no-script"> To sign up, turn on JavaScript.</span>{" "}
        {privacyUrl !== undefined && <a href={privacyUrl}>Privacy policy</a>}
      </p>
      {status?.kind === "thanks" ? (
        // The focused button is gone.
        <p class="thanks" tabIndex={-1} ref={(thanks) => thanks?.focus()}>
          {status.text}
        </p>
      ) : (
        <form
          class="needs-script"
          ref={form}
          method="post"
          noValidate
          aria-labelledby="signup-title"
          onSubmit={submit}
          onInput={() => setWrong(findWrong().filter((name) => wrong.includes(name)))}
        >
          <input type="hidden" name="ctaSource" value={ctaSource} />
          {/* A browser may change what is typed into a field of type "email" to another person's address. */}
          <Question
            {...question}
            name="email"
            label="E-mail"
            inputMode="email"
            autoComplete="email"
          />
          <Question
            {...question}
            name="name"
            label="Name"
            why="so that we can greet you"
            autoComplete="name"
          />
          {ctaSource === "hero" && (
            <Question
              {...question}
              name="referral"
              label="How did you hear about us?"
              why="optional"
              onChange={askWhatOther}
            >
              <option value="">–</option>
              {REFERRALS.map((referral) => (
                <option value={referral}>{REFERRAL_LABELS[referral]}</option>
              ))}
            </Question>
          )}
          {isOther && (
            <Question {...question} name="referralOther" label="Where was it?" autoComplete="off" />
          )}
          <Honeypot prefix={ctaSource} />
          <div class={`challenge ${siteKey === undefined ? "own" : "turnstile"}`} ref={challenge}>
            <p>
              {siteKey === undefined
                ? "Your browser solves a small puzzle to keep bots out."
                : "Cloudflare Turnstile checks that you are human."}
            </p>
          </div>
          {/* `disabled` would lose the focus, and `aria-busy` would keep the status from being announced. */}
          <button
            type="submit"
            class="primary"
            disabled={!send}
            aria-disabled={status?.kind === "progress"}
          >
            Sign up
          </button>
          <p class={`status ${status?.kind ?? ""}`} role="status">
            {status?.text}
          </p>
        </form>
      )}
    </>
  );
}

interface QuestionProps {
  readonly prefix: string;
  readonly name: string;
  readonly label: string;
  readonly why?: string;
  readonly wrong: readonly string[];
  readonly inputMode?: "email";
  readonly autoComplete?: string;
  readonly onChange?: () => void;
  /** The options of a choice. */
  readonly children?: ComponentChildren;
}

function Question({ prefix, name, label, why, wrong, children, ...rest }: QuestionProps) {
  const id = `${prefix}-${name}`;
  const isWrong = wrong.includes(name);
  const control = {
    ...rest,
    id,
    name,
    "aria-invalid": isWrong,
    "aria-describedby": isWrong ? `${id}:problem` : undefined,
  };
  return (
    <div class={`question ${name}`}>
      <label for={id}>
        {label} {why !== undefined && <small>({why})</small>}
      </label>
      {children ? <select {...control}>{children}</select> : <input {...control} type="text" />}
      {isWrong && (
        <div class="notes">
          <p class="error" id={`${id}:problem`}>
            {PROBLEMS[name]}
          </p>
        </div>
      )}
    </div>
  );
}

/** A field that bots fill in, and that people neither see nor reach; nor do password managers. */
const Honeypot = ({ prefix }: { readonly prefix: string }) => (
  <p class="visually-hidden" aria-hidden="true">
    <label for={`${prefix}-website`}>Leave this empty</label>
    <input
      id={`${prefix}-website`}
      name="website"
      tabIndex={-1}
      autoComplete="off"
      data-1p-ignore
      data-bwignore
      data-lpignore="true"
    />
  </p>
);

/** The fields that the API would reject. */
function wrongFields(signup: object): readonly string[] {
  const { issues = [] } = v.safeParse(BetaSignupSchema, signup);
  const names = issues.map(({ path }) => String(path?.[0]?.key));
  return Object.keys(PROBLEMS).filter((name) => names.includes(name));
}

const PROBLEMS: Readonly<Record<string, string>> = {
  email: "Please enter an e-mail address, such as ada@example.com.",
  name: "Please enter your name.",
  referralOther: "Please say where, in a few words.",
};

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
