import type { Person } from "./world.ts";

export interface Case {
  readonly title: string;
  /** The list for people; "missing" is one that does not exist. */
  readonly list?: "single" | "double" | "missing";
  /** True when our own row says that the newsletter has the address. */
  readonly synced?: boolean;
  readonly preconfirm?: boolean;
  readonly wrongToken?: boolean;
  /** The text before the @, where it matters. */
  readonly local?: string;
  readonly before?: Person;
  /** True when somebody else has the address as a name. */
  readonly namesake?: boolean;
  readonly ok: boolean;
  readonly calls: readonly string[];
  /** The subscriber in the end; left out when nobody is to be there. */
  readonly after?: Person;
  readonly mails?: number;
}

export const NAME = "Ada Lovelace";
export const ATTRIBUTES = { ctaSource: "hero", utmSource: "news" };

const ada = (on: Person["on"]): Person => ({
  name: NAME,
  status: "enabled",
  attribs: ATTRIBUTES,
  on,
});

/** An earlier subscriber, with a name and an attribute that must stay. */
const old = (on: Person["on"], status = "enabled"): Person => ({
  name: "Old Name",
  status,
  attribs: { ctaSource: "footer", nested: { kept: 1 } },
  on,
});

const merged = (on: Person["on"]): Person => ({
  ...old(on),
  attribs: { ctaSource: "footer", nested: { kept: 1 }, utmSource: "news" },
});

const untouched = (before: Person) => ({ before, after: before, ok: true });
const NEW = ["GET 200", "POST 200"];
const NO_WRITE = ["GET 200"];
/** The search, the list, and what is written. */
const ADDED = ["GET 200", "GET 200", "PUT 200", "PATCH 200"];

/** The effects of a sync on listmonk, on the stand-in and on a real one. */
export const CASES: readonly Case[] = [
  {
    title: "a new address is put on the list",
    ok: true,
    calls: NEW,
    after: ada({ single: "unconfirmed" }),
  },
  {
    title: "a new address on a list with double opt-in gets one mail",
    list: "double",
    ok: true,
    calls: NEW,
    after: ada({ double: "unconfirmed" }),
    mails: 1,
  },
  {
    title: "a new address counts as confirmed where the operator says so",
    list: "double",
    preconfirm: true,
    ok: true,
    calls: NEW,
    after: ada({ double: "confirmed" }),
  },
  {
    title: "a new address counts as confirmed on a list with single opt-in, too",
    preconfirm: true,
    ok: true,
    calls: NEW,
    after: ada({ single: "confirmed" }),
  },
  {
    title: "someone of another list is added, and keeps what is known",
    before: old({ other: "confirmed" }),
    ok: true,
    calls: ADDED,
    after: merged({ other: "confirmed", single: "unconfirmed" }),
  },
  {
    title: "someone of no list is added",
    before: old({}),
    ok: true,
    calls: ADDED,
    after: merged({ single: "unconfirmed" }),
  },
  {
    title: "someone of another list is asked to confirm, once",
    list: "double",
    before: old({ other: "confirmed" }),
    ok: true,
    calls: [...ADDED, "POST 200"],
    after: merged({ other: "confirmed", double: "unconfirmed" }),
    mails: 1,
  },
  {
    title: "someone with all attributes is looked up and left",
    ...untouched(ada({ single: "confirmed" })),
    calls: NO_WRITE,
  },
  {
    title: "someone of the list gets the attributes that are missing, and no other name",
    before: old({ single: "confirmed" }),
    ok: true,
    calls: ["GET 200", "PATCH 200"],
    after: merged({ single: "confirmed" }),
  },
  {
    title: "someone who has yet to confirm gets no second mail",
    list: "double",
    synced: true,
    before: old({ double: "unconfirmed" }),
    ok: true,
    calls: ["GET 200", "PATCH 200"],
    after: merged({ double: "unconfirmed" }),
  },
  {
    title: "someone who has confirmed stays so when somebody else signs them up",
    list: "double",
    before: old({ double: "confirmed" }),
    ok: true,
    calls: ["GET 200", "PATCH 200"],
    after: merged({ double: "confirmed" }),
  },
  {
    title: "someone whom an interrupted sync has put there is asked to confirm",
    list: "double",
    before: old({ double: "unconfirmed" }),
    ok: true,
    calls: ["GET 200", "GET 200", "PATCH 200", "POST 200"],
    after: merged({ double: "unconfirmed" }),
    mails: 1,
  },
  {
    title: "someone who unsubscribed from the list is left alone",
    ...untouched(old({ single: "unsubscribed" })),
    calls: NO_WRITE,
  },
  {
    title: "someone blocklisted is left alone",
    ...untouched(old({}, "blocklisted")),
    calls: NO_WRITE,
  },
  {
    title: "someone disabled is left alone",
    ...untouched(old({ other: "confirmed" }, "disabled")),
    calls: NO_WRITE,
  },
  {
    title: "someone else with the address for a name is not taken for its owner",
    ...untouched(old({ single: "unsubscribed" })),
    namesake: true,
    calls: NO_WRITE,
  },
  {
    title: "signs that a search would read otherwise are read as they are",
    ...untouched(ada({ single: "confirmed" })),
    local: "o'b+c.{d|e}?$f*g%h^i",
    calls: NO_WRITE,
  },
  {
    title: "a list that there is not: listmonk says yes, and we say no",
    list: "missing",
    ok: false,
    calls: NEW,
  },
  {
    title: "a list that there is not, for someone who is there",
    list: "missing",
    before: old({ other: "confirmed" }),
    ok: false,
    calls: ["GET 200", "GET 400", "PUT 500", "PATCH 200"],
    after: merged({ other: "confirmed" }),
  },
  { title: "a wrong token", wrongToken: true, ok: false, calls: ["GET 403"] },
];
