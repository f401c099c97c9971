import { describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { mailFilter } from "../../src/index.ts";
import { commandLine } from "./support.ts";

const SEPARATOR = "From 1@xxx Mon Jan 05 10:00:00 +0000 2026";

const mail = (fields: Readonly<Record<string, string>>, body = "text") =>
  `${SEPARATOR}\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("")}\n${body}\n\n`;

const filters = [
  { name: "Bills", from: ["@shop.example"], subject: ["invoice"], label: "Bills" },
  { name: "Old news", from: ["@news.example"], delete: true },
  { name: "Keep news", subject: ["important"], star: true },
  { name: "To work", has_words: ["project x"], forward_to: "me@work.example" },
  { name: "Nobody", from: ["nobody@example.com"], label: "None" },
];

const MAILS = [
  mail({
    From: "Shop <a@shop.example>",
    Subject: "Invoice 7",
    "Message-ID": "<1@x>",
    Date: "Mon, 05 Jan 2026 10:00:00 +0000",
  }),
  mail({
    From: "Shop <a@shop.example>",
    Subject: "Your invoices",
    "Message-ID": "<2@x>",
    Date: "Tue, 06 Jan 2026 10:00:00 +0000",
  }),
  mail({
    From: "b@news.example",
    Subject: "=?utf-8?Q?Important=1B[31m_news?=",
    Date: "Wed, 07 Jan 2026 10:00:00 +0000",
  }),
  mail({ From: "c@work.example", Subject: "Plan" }, "of Project X, secret"),
  mail({ From: "me@example.com", Subject: "sent", "X-Gmail-Labels": "Sent,Opened" }),
  mail({ From: "d@x.example", Subject: "chat", "X-Gmail-Labels": "Chat" }),
  mail({ From: "e@shop.example", Subject: "invoice in Spam", "X-Gmail-Labels": "Spam" }),
  mail({ From: "e@news.example", Subject: "binned", "X-Gmail-Labels": "Trash" }),
].join("");

const files = { "rules.json": JSON.stringify({ filters }), "All.mbox": MAILS };

const mailTry = (argv: readonly string[], world: object = {}) =>
  commandLine(["mail-try", ...argv], { files, ...world });

describe("handtools mail-try", () => {
  test("prints first what would be deleted or forwarded", async () => {
    expect(await mailTry(["rules.json", "All.mbox"])).toMatchObject({
      exitCode: 0,
      error: "",
      out: `4 mails tried; left out: chats 1, sent 1, in Spam 1, in the bin 1

Would be deleted
  Old news: 1, last on 2026-01-07
      Important\\u001b[31m news

Would be forwarded
  To work: 1
      Plan

The other filters
  Bills: at least 1, at most 2, last on 2026-01-05
      Invoice 7
  Keep news: 1, last on 2026-01-07
      Important\\u001b[31m news

Matched none of these mails
  Nobody: from:(nobody@example.com)

Do opposite things with the same mail
  Old news and Keep news: only one of them deletes it (1 mail)

This is an estimate: --explain MESSAGE-ID shows the terms that decide about a mail.
`,
    });
  });

  test("prints all as JSON, and never a body", async () => {
    const { out } = await mailTry(["rules.json", "All.mbox", "--json"]);
    const result = JSON.parse(out);
    expect(Object.keys(result)).toEqual(["filters", "mails", "skipped", "broken", "clashes"]);
    expect(result.filters[0]).toEqual({
      name: "Bills",
      search: "from:(@shop.example) subject:(invoice)",
      at_least: 1,
      at_most: 2,
      last: "2026-01-05T10:00:00.000Z",
      subjects: ["Invoice 7"],
    });
    expect(result.filters.length).toBe(filters.length);
    expect(result.skipped).toEqual({ chats: 1, sent: 1, spam: 1, trash: 1 });
    expect(out).not.toContain("secret");
  });

  test.each([
    [["--include-spam"], 5, 2],
    [["--include-trash"], 5, 1],
    [["--include-spam", "--include-trash"], 6, 2],
  ])("with %j takes those in", async (flags, mails, bills) => {
    const { out } = await mailTry(["rules.json", "All.mbox", "--json", ...flags]);
    const result = JSON.parse(out);
    expect([result.mails, result.filters[0].at_least]).toEqual([mails, bills]);
  });

  test("takes a Gmail export, several files, an .eml and standard input", async () => {
    const eml = mail({ From: "a@shop.example", Subject: "invoice" }).replace(/^.*\n/, "");
    const xml = mailFilter({ filters }).file.content;
    const { out, exitCode } = await mailTry(["rules.xml", "All.mbox", "one.eml", "-", "--json"], {
      files: { ...files, "rules.xml": xml, "one.eml": eml },
      stdin: MAILS,
    });
    const { mails, filters: tried } = JSON.parse(out);
    expect({ exitCode, mails }).toEqual({ exitCode: 0, mails: 9 });
    expect(tried[0]).toMatchObject({ name: "Bills", at_least: 3, at_most: 5 });
  });

  test("shows the terms that decide about a mail", async () => {
    expect(await mailTry(["rules.json", "All.mbox", "--explain", "<2@x>"])).toMatchObject({
      exitCode: 0,
      out: `Your invoices <2@x>
  unknown Bills: subject:invoice may be there, perhaps in another form
  no      Old news: from:@news.example is not there
  no      Keep news: subject:important is not there
  no      To work: "project x" is not in the mail
  no      Nobody: from:nobody@example.com is not there
`,
    });
    expect(await mailTry(["rules.json", "All.mbox", "--explain", "9@x"])).toMatchObject({
      exitCode: 1,
      error: "error: none of these mails has the Message-ID 9@x\n",
    });
  });

  test("counts what cannot be read, names it, and goes on", async () => {
    const bad = [
      mail({}),
      mail({ From: "a@x", "Content-Type": "text/plain; charset=klingon" }),
      mail({ From: "a@x", Subject: "c", "Content-Type": "multipart/mixed; boundary=b" }, "--b\n\n"),
      mail({ "From: a@x\nDear Bob": "you" }),
    ].join("");
    const { out, exitCode, error } = await mailTry(
      ["rules.json", "bad.mbox", "gone.mbox", "All.mbox"],
      {
        files: { ...files, "bad.mbox": bad },
      },
    );
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: "error: gone.mbox: no such file or directory\n",
    });
    expect(out).toStartWith("8 mails tried");
    expect(out).toContain(`Mails that could be read only in part
  has no header: bad.mbox, mail 1
  has a text that cannot be read for certain: bad.mbox, mail 2
  is truncated: bad.mbox, mail 3
  has a header without an end: bad.mbox, mail 4
`);
  });

  test("never deletes by a word that it cannot read", async () => {
    const rules = [{ name: "Not mine", does_not_have: ["café"], delete: true }];
    const texts = ["Subject: caf\xE9", "Subject: =?us-ascii?Q?caf=C3=A9?=", "Subject: s\nDear Bob"];
    const read = texts.map((text, index) => [
      `${index}.eml`,
      Buffer.from(`From: a@x\n${text}\n\na\n`, "latin1"),
    ]);
    const world = {
      files: { "rules.json": JSON.stringify({ filters: rules }), ...Object.fromEntries(read) },
    };
    const { out } = await mailTry(
      ["rules.json", ...read.map(([name]) => String(name)), "--json"],
      world,
    );
    expect(JSON.parse(out).filters[0]).toMatchObject({ at_least: 0, at_most: 3 });
  });

  test.each([[[]], [["--json"]], [["--explain", "1@x"]]])(
    "prints nothing with %j when no file can be read",
    async (flags) => {
      expect(await mailTry(["rules.json", "gone.mbox", ...flags])).toMatchObject({
        exitCode: 1,
        out: "",
        error: "error: gone.mbox: no such file or directory\n",
      });
    },
  );

  test("shows the search of filters that have one name", async () => {
    const shop = (from: string) => ({ name: "Shop", from: [from], label: "Shop" });
    const rules = [
      shop("@shop.example"),
      { ...shop("@news.example"), delete: true },
      { ...shop("@news.example"), star: true },
    ];
    const tests = [{ name: "t", message: { from: "a@shop.example" }, expect: {} }];
    const world = {
      files: {
        ...files,
        "rules.json": JSON.stringify({ filters: rules }),
        "t.json": JSON.stringify({ tests }),
      },
    };
    const { out } = await mailTry(["rules.json", "All.mbox"], world);
    expect(out).toContain("  Shop (from:(@shop.example)): 2, last");
    const [deleted, other] = [2, 3].map((place) => `Shop (from:(@news.example)), filter ${place}`);
    expect(out).toContain(`  ${deleted}: 1, last`);
    expect(out).toContain(`  ${deleted} and ${other}: only one of them deletes it (1 mail)`);
    const explained = await mailTry(["rules.json", "All.mbox", "--explain", "1@x"], world);
    expect(explained.out).toContain("  yes     Shop (from:(@shop.example)): from:");
    const tried = await mailTry(["rules.json", "t.json"], world);
    expect(tried.out).toContain("label Shop is not expected: Shop (from:(@shop.example)): from:");
  });

  test.each([
    ["a Gmail export", "<?xml version='1.0'?>\n<feed>", "is HTML or XML: take the .mbox"],
    [
      "a mailbox of another program",
      MAILS.replace("@xxx", "@x"),
      "is a mailbox of another program",
    ],
    ["a mail before a mailbox", `From: a@x\n\n${MAILS}`, "is a mail before a mailbox"],
  ])("rejects %s as mail, and as the mail of a test", async (_, content, problem) => {
    const tests = [{ name: "t", eml: "mail.x", expect: {} }];
    const world = {
      files: {
        ...files,
        "mail.x": content,
        [`${process.cwd()}/mail.x`]: content,
        "t.json": JSON.stringify({ tests }),
      },
    };
    const tried = await mailTry(["rules.json", "mail.x"], world);
    expect(tried).toMatchObject({ exitCode: 2, out: "" });
    expect(tried.error).toStartWith(`error: mail.x: ${problem}`);
    const tested = await mailTry(["rules.json", "t.json"], world);
    expect(tested).toMatchObject({ exitCode: 2, out: "" });
    expect(tested.error).toContain(`mail.x: ${problem}`);
    const beside = await mailTry(["rules.json", "mail.x", "All.mbox"], world);
    expect(beside.exitCode).toBe(2);
    expect(beside.out).toStartWith("4 mails tried");
  });

  test("takes the filters that --merge --json prints", async () => {
    const merge = await commandLine(["mail-filter", "rules.json", "--merge", "--json"], { files });
    expect(JSON.parse(merge.out)).toContainKeys(["merged", "dropped"]);
    const world = { files: { ...files, "merged.json": merge.out } };
    expect(await mailTry(["merged.json", "All.mbox"], world)).toEqual(
      await mailTry(["rules.json", "All.mbox"], world),
    );
  });

  test("says why it does not explain a mail that is left out", async () => {
    const labelled = (label: string) =>
      mail({ Subject: "a", "Message-ID": `<${label}@x>`, "X-Gmail-Labels": label });
    const mails = ["Sent", "Chat", "Spam", "Trash"].map(labelled).join("");
    const world = { files: { ...files, "All.mbox": mails } };
    const explain = async (...flags: readonly string[]) =>
      (await mailTry(["rules.json", "All.mbox", "--explain", ...flags], world)).error;
    const start = (id: string) => `error: the mail with the Message-ID ${id} is left out: `;
    expect(await explain("Sent@x")).toStartWith(`${start("Sent@x")}you sent it`);
    expect(await explain("Chat@x")).toBe(`${start("Chat@x")}it is a chat\n`);
    expect(await explain("Spam@x")).toContain("it is in Spam (--include-spam takes it in)");
    expect(await explain("Trash@x")).toContain("it is in the bin (--include-trash takes it in)");
    expect(await explain("Spam@x", "--include-spam")).toBe("");
  });

  test("stops at Ctrl-C, and prints what was counted", async () => {
    const { out, error, exitCode } = await mailTry(["rules.json", "All.mbox"], {
      onInterrupt: (listener: () => void) => listener(),
    });
    expect(out).toStartWith("0 mails tried");
    expect({ error, exitCode }).toEqual({ error: "info: stopped after 0 mails\n", exitCode: 130 });
  });

  test.skipIf(process.platform === "win32")(
    "stops at Ctrl-C while standard input is silent",
    async () => {
      const rules = `${process.env.TMPDIR ?? "/tmp"}/mail-try-${process.pid}.json`;
      await Bun.write(rules, JSON.stringify({ filters }));
      const running = Bun.spawn([process.execPath, "cli/main.ts", "mail-try", rules, "-"], {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
        timeout: 20_000,
        killSignal: "SIGKILL",
      });
      running.stdin.write(MAILS);
      await running.stdin.flush();
      // It listens to signals when it has begun to read.
      await Bun.sleep(2000);
      running.kill("SIGINT");
      const out = await new Response(running.stdout).text();
      const error = await new Response(running.stderr).text();
      await running.exited;
      await Bun.file(rules).delete();
      expect(out).toMatch(/^\d mails? tried/);
      expect(error).toMatch(/^info: stopped after \d mails?\n$/);
      expect(running.signalCode).toBe("SIGINT");
    },
  );

  test("shows the progress on a terminal", async () => {
    const { error } = await mailTry(["rules.json", "All.mbox"], { errorIsTerminal: true });
    expect(error).toMatch(/^\r\u001b\[K1 mail, 100 %, 0 s left.*\r\u001b\[K$/s);
  });

  test.each([
    [["rules.json"], "missing required argument 'mail'"],
    [["-", "-"], "FILE: standard input is already used; give a file"],
    [["/dev/stdin", "-"], "FILE: standard input is already used; give a file"],
    [["rules.json", "All.mbox", "--now", "soon"], "--now: must be a date such as 2026-11-22"],
    [["rules.json", "All.mbox", "--now", "2026-02-31"], "--now: must be a date such as"],
    [
      ["rules.json", "All.mbox", "--now", "yesterday", "--me", "ann"],
      "error: --me: must be an address such as me@example.com\nerror: --now: must be a date",
    ],
    [["rules.json", "All.mbox", "--me", "Ann <a@x.example>"], "--me: must be an address"],
    [["All.mbox", "All.mbox"], "All.mbox"],
    [["wrong.json", "All.mbox"], "wrong.json:1:13: filters[0]: must have an action"],
    [["rules.json", "All.mbox", "a.json"], "tests and mails are tried one at a time"],
    [["rules.json", "a.json", "--include-spam"], "--include-spam: cannot be used with tests"],
    [["rules.json", "a.json", "--explain", "x@y"], "--explain: cannot be used with tests"],
    [["empty.xml", "All.mbox"], "empty.xml: has no filter to try"],
  ])("rejects %j", async (argv, message) => {
    const { exitCode, error } = await mailTry(argv, {
      files: {
        ...files,
        "wrong.json": '{"filters":[{"from":["a@x.com"]}]}',
        "empty.xml": "<feed xmlns='http://www.w3.org/2005/Atom'></feed>",
      },
    });
    expect(exitCode).toBe(2);
    expect(error).toContain(message);
  });
});

describe("handtools mail-try with tests", () => {
  const run = (tests: readonly object[], more: object = {}) =>
    mailTry(["rules.json", "t.json"], {
      files: { ...files, "t.json": JSON.stringify({ $schema: "x", tests }), ...more },
    });
  const message = { from: "a@shop.example", subject: "Invoice" };

  test.each([
    ["what is expected", { message, expect: { label: "Bills" } }, ""],
    ["a list of labels", { message, expect: { label: ["Bills"] } }, ""],
    ["nothing", { message: { from: "a@x.com" }, expect: {} }, ""],
    [
      "a label that is missing",
      { message: { from: "a@x.com" }, expect: { label: "Bills" } },
      "  label Bills is missing: Bills: from:@shop.example is not there\n",
    ],
    [
      "a label that is not expected",
      { message, expect: { skip_inbox: true } },
      "  label Bills is not expected: Bills: from:@shop.example is there, subject:invoice is there\n  archive is missing: no filter does it\n",
    ],
    [
      "an action that is unknown",
      { message: { ...message, subject: "invoices" }, expect: { label: "Bills" } },
      "  label Bills is unknown: Bills: subject:invoice may be there, perhaps in another form\n",
    ],
    [
      "an action that may be unknown",
      { message: { ...message, subject: "invoices" }, expect: {}, unknown: "allow" },
      "",
    ],
    [
      "a deletion that is not expected",
      { message: { from: "a@news.example" }, expect: {} },
      "  delete is not expected: Old news: from:@news.example is there\n",
    ],
    ["a mail in a file", { eml: "mails/one.eml", expect: { label: "Bills" } }, ""],
  ])("checks %s", async (name, one, problems) => {
    const eml = mail({ From: "a@shop.example", Subject: "invoice" });
    const { exitCode, out, error } = await run([{ name, ...one }], {
      [`${process.cwd()}/mails/one.eml`]: eml,
    });
    expect(out).toBe(`${problems === "" ? "ok" : "not ok"} ${name}\n${problems}`);
    expect({ exitCode, error }).toEqual(
      problems === ""
        ? { exitCode: 0, error: "" }
        : { exitCode: 1, error: "info: 1 of 1 test failed\n" },
    );
  });

  test("takes the labels and addresses of exports, printed or not", async () => {
    const actions = { label: "[Gmail]/Shop", forward_to: "incoming+a/b@git.example" };
    const input = { filters: [{ from: ["@shop.example"], ...actions }] };
    const xml = mailFilter(input, { limits: "local" }).file.content;
    const read = await commandLine(["mail-filter", "--read", "all.xml"], {
      files: { "all.xml": xml },
    });
    for (const rules of [xml, read.out]) {
      const { out } = await run([{ name: "a", message, expect: actions }], { "rules.json": rules });
      expect(out).toBe("ok a\n");
    }
  });

  test.each([
    [{ name: "a", expect: {} }, "t.json:1:25: tests[0]: must have either message or eml"],
    [{ name: "a", eml: "x", message, expect: {} }, "must have either message or eml"],
    [{ name: "a", message, expect: { labels: "x" } }, "tests[0].expect.labels"],
    [{ message, expect: {} }, "t.json:1:25: tests[0].name: is required"],
    [{ name: "a", message, expect: { label: 1 } }, ".label: must be a label or an array of labels"],
    [{ name: "a", message: { date: "x" }, expect: {} }, ".date: must be a time in UTC, such as 2"],
    [{ name: "a", message: { date: "2026-02-31T12:00:00Z" }, expect: {} }, ".date: must be a day"],
    [{ name: "a", message, expect: {}, unknown: "yes" }, "tests[0].unknown: must be"],
  ])("rejects the test %j", async (one, problem) => {
    const { exitCode, error } = await run([one]);
    expect(exitCode).toBe(2);
    expect(error).toContain(problem);
  });
});

describe("handtools mail-try for programs", () => {
  const tests = [
    { name: "a", message: { from: "a@x.com" }, expect: {} },
    { name: "b", message: { from: "a@x.com" }, expect: { skip_inbox: true } },
  ];
  const world = {
    files: { ...files, "t.json": JSON.stringify({ tests }, null, 2) },
  };

  test("--reporter github marks the test that fails", async () => {
    const failed = await mailTry(["rules.json", "t.json", "--reporter", "github"], world);
    expect(failed).toMatchObject({
      exitCode: 1,
      out: "ok a\nnot ok b\n  archive is missing: no filter does it\n",
      error:
        "::error file=t.json,line=10,col=5::tests[1]: b; archive is missing: no filter does it\n::notice::1 of 2 tests failed\n",
    });
  });

  test("--json prints the results of tests", async () => {
    const { exitCode, out, error } = await mailTry(["rules.json", "t.json", "--json"], world);
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: "info: 1 of 2 tests failed\n" });
    const problems = ["archive is missing: no filter does it"];
    expect(JSON.parse(out)).toEqual({
      tests: [
        { file: "t.json", name: "a", ok: true, problems: [] },
        { file: "t.json", name: "b", ok: false, problems },
      ],
      failed: 1,
    });
  });

  test("--strict tries nothing with filters of which some were left out", async () => {
    const { file } = mailFilter({ filters: [{ from: ["a@x.com"], label: "A" }] });
    const entry = `<entry><apps:property name="from" value="b"/><apps:property name="excludeChats" value="true"/><apps:property name="shouldStar" value="true"/></entry>`;
    const rules = { "mailFilters.xml": file.content.replace("</feed>", `${entry}</feed>`) };
    const argv = ["mailFilters.xml", "t.json"];
    const lax = await mailTry(argv, { files: { ...world.files, ...rules } });
    expect(lax.error).toContain("[left-out]");
    expect(lax.out).not.toBe("");
    const strict = await mailTry([...argv, "--strict"], { files: { ...world.files, ...rules } });
    expect(strict).toMatchObject({ exitCode: 1, out: "" });
    expect(strict.error).toEndWith("error: --strict: nothing is written, with 1 warning\n");
  });
});

test("gzip is unpacked by the process itself", async () => {
  const { readStream } = await import("../../cli/files/read-stream.ts");
  const path = `${process.env.TMPDIR ?? "/tmp"}/mail-try-${process.pid}.gz`;
  // Of many chunks, each of which is overwritten by the next one.
  const text = randomBytes(2_000_000);
  const packed = gzipSync(text);
  const read = async () => {
    const hash = createHash("sha256");
    for await (const chunk of (await readStream(path)).chunks) hash.update(chunk);
    return hash.digest("hex");
  };
  await Bun.write(path, packed);
  expect(await read()).toBe(createHash("sha256").update(text).digest("hex"));
  await Bun.write(path, packed.subarray(0, packed.length / 2));
  await expect(read()).rejects.toThrow("is truncated");
  await Bun.file(path).delete();
});

test("a folder is no mailbox", async () => {
  const { readStream } = await import("../../cli/files/read-stream.ts");
  const { chunks } = await readStream(import.meta.dir);
  const read = (async () => {
    for await (const chunk of chunks) throw new Error(`${chunk.length} bytes`);
  })();
  await expect(read).rejects.toThrow("is a folder, in which other programs keep mail: take");
});
