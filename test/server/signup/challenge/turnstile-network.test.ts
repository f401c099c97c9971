import { describe, expect, test } from "bun:test";
import { expectPending, stopClock, watched } from "../../support/clock.ts";
import {
  failing,
  fakeSiteverify,
  hang,
  passing,
  type Reply,
  SECRET,
  stall,
  text,
  turnstileAt,
} from "../../support/fake-siteverify.ts";

const TOKEN = "0.Token-Of-A-Visitor";

/** The error that asking ends with. */
async function failure(verifyUrl: string): Promise<unknown> {
  const [outcome] = await Promise.allSettled([turnstileAt(verifyUrl).verify(TOKEN)]);
  return outcome.status === "rejected" ? outcome.reason : undefined;
}

describe("turnstileChallenge() gives up after three seconds", () => {
  test.each<[string, Reply, number]>([
    ["without an answer", hang, 0],
    ["when the body stops half-way", stall, 0],
    ["without an answer to its retry", hang, 2_000],
  ])("%s", async (_, fault, retryAfterMs) => {
    using clock = stopClock();
    const { reached, handler } = watched(fault);
    const first: Reply = (form) => {
      clock.pass(retryAfterMs);
      return failing("internal-error")(form);
    };
    const replies = [...(retryAfterMs > 0 ? [first] : []), handler, passing()];
    using siteverify = fakeSiteverify(...replies);
    const error = failure(siteverify.url);
    await reached;
    clock.pass(2_999);
    await expectPending(error);
    clock.pass(1);
    expect(await error).toMatchObject({ name: "TimeoutError" });
    expect(siteverify.forms).toHaveLength(replies.length - 1);
  });
});

describe("turnstileChallenge() throws, and verifies nothing", () => {
  test("when the connection is refused", async () => {
    const { url } = closed();
    expect(await failure(url)).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("when the certificate is not trusted", async () => {
    using plain = fakeSiteverify(passing());
    const error = await failure(plain.url.replace("http:", "https:"));
    expect(error).toBeInstanceOf(Error);
    expect(plain.forms).toHaveLength(0);
  });

  test.each([301, 302, 307, 308])("at a redirect, which it does not follow: %d", async (status) => {
    using elsewhere = fakeSiteverify(passing());
    const redirect = text("", { status, headers: { Location: elsewhere.url } });
    using siteverify = fakeSiteverify(redirect);
    expect(await failure(siteverify.url)).toMatchObject({ code: "UnexpectedRedirect" });
    expect(elsewhere.forms).toHaveLength(0);
  });

  test("at an endless answer, which it stops reading", async () => {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    const endless: Reply = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            controller.enqueue(new Uint8Array(16_384).fill(0x20));
            await Bun.sleep(1);
          },
          cancel: () => stop(),
        }),
      );
    using siteverify = fakeSiteverify(endless);
    expect(await failure(siteverify.url)).toMatchObject({ code: "answer-too-long" });
    await stopped;
  });
});

function closed() {
  using gone = fakeSiteverify();
  return gone;
}

test("the errors say nothing of the token or the secret", async () => {
  const replies: Reply[] = [
    (form) => text(form.toString())(form),
    (form) => failing(...form.values())(form),
    (form) => passing({ hostname: form.toString(), action: 1 })(form),
    (form) => text(form.toString(), { status: 500 })(form),
  ];
  const urls = replies.map((reply) => fakeSiteverify(reply));
  const errors = await Promise.all([closed().url, ...urls.map(({ url }) => url)].map(failure));
  for (const error of errors) {
    expect(error).toBeInstanceOf(Error);
    const words = Bun.inspect(error);
    expect(words).not.toContain(TOKEN);
    expect(words).not.toContain(SECRET);
  }
  for (const siteverify of urls) siteverify[Symbol.dispose]();
});
