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

const NEW = ["GET 200", "POST 200"];
const NO_WRITE = ["GET 200"];
const ASK = ["GET 200", "GET 200", "PATCH 200", "POST 200"];
const MISSING = ["GET 200", "GET 400", "PUT 500", "PATCH 200"];
const PATCHED = ["GET 200", "PATCH 200"];
/** The search, the list, and what is written. */
const ADDED = ["GET 200", "GET 200", "PUT 200", "PATCH 200"];

type Parts = Partial<Omit<Case, "title" | "ok">>;

const synced = (title: string, calls: Case["calls"], parts: Parts): Case => {
  return { title, calls, ok: true, ...parts };
};
const failed = (title: string, calls: Case["calls"], parts: Parts): Case => {
  return { title, calls, ok: false, ...parts };
};

/** Somebody whom a sync leaves alone. */
const untouched = (title: string, before: Person, parts: Parts = {}): Case =>
  synced(title, NO_WRITE, { before, after: before, ...parts });

/** Somebody of the list, who gets the attributes that are missing. */
const updated = (title: string, on: Person["on"], parts: Parts = {}): Case =>
  synced(title, PATCHED, { before: old(on), after: merged(on), ...parts });

const list = "double";
const preconfirm = true;
const ELSEWHERE = { other: "confirmed" };
const [ASKED, CONFIRMED] = [{ double: "unconfirmed" }, { double: "confirmed" }];
const [ON, GONE] = [{ single: "confirmed" }, { single: "unsubscribed" }];
const ADDED_TO = { single: "unconfirmed" };
const before = old(ELSEWHERE);

/** The effects of a sync on listmonk, on the stand-in and on a real one. */
export const CASES: readonly Case[] = [
  synced("a new address is put on the list", NEW, { after: ada(ADDED_TO) }),
  synced("a new address gets one mail", NEW, { list, after: ada(ASKED), mails: 1 }),
  synced("a new address that the site confirms", NEW, { list, preconfirm, after: ada(CONFIRMED) }),
  synced("a new address, confirmed for single opt-in", NEW, { preconfirm, after: ada(ON) }),
  synced("one of another list", ADDED, { before, after: merged({ ...ELSEWHERE, ...ADDED_TO }) }),
  synced("someone of no list is added", ADDED, { before: old({}), after: merged(ADDED_TO) }),
  synced("one of another list is asked to confirm, once", [...ADDED, "POST 200"], {
    list,
    before,
    after: merged({ ...ELSEWHERE, ...ASKED }),
    mails: 1,
  }),
  updated("someone of the list gets what is missing, and no other name", ON),
  updated("someone who has yet to confirm gets no second mail", ASKED, { list, synced: true }),
  updated("someone who has confirmed stays so", CONFIRMED, { list }),
  updated("one whom an interrupted sync put there is asked", ASKED, { list, calls: ASK, mails: 1 }),
  untouched("someone with all attributes is looked up and left", ada(ON)),
  untouched("someone who unsubscribed from the list is left alone", old(GONE)),
  untouched("someone blocklisted is left alone", old({}, "blocklisted")),
  untouched("someone disabled is left alone", old(ELSEWHERE, "disabled")),
  untouched("one who has the address for a name is not its owner", old(GONE), { namesake: true }),
  untouched("signs of a search are read as they are", ada(ON), { local: "o'b+c.{d|e}?$f*g%h^i" }),
  failed("a list that there is not: listmonk says yes, we say no", NEW, { list: "missing" }),
  failed("a list that there is not, for someone who is there", MISSING, {
    list: "missing",
    before,
    after: merged(ELSEWHERE),
  }),
  failed("a wrong token", ["GET 403"], { wrongToken: true }),
];
