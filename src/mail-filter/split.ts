import type { Criteria } from "./filter.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { anyOf, searchString } from "./search.ts";

/**
 * Cuts criteria whose search is too long into the fewest that fit, in the order of the lists. Only
 * from, to and subject are cut: Gmail runs every filter that matches, so the chunks of a list of
 * alternatives together mean the same. The chunks of an exclusion would not.
 */
export function split(criteria: Criteria): readonly Criteria[] | Unsplittable {
  const length = searchString(criteria).length;
  if (length <= MAX_SEARCH_LENGTH) return [criteria];

  const { from, to, subject } = criteria;
  const rest = length - listLength(from) - listLength(to) - listLength(subject);
  const limits = fewestEntries(criteria, MAX_SEARCH_LENGTH - rest);
  if (typeof limits === "string") return limits;

  let entries: readonly Criteria[] = [criteria];
  for (const field of ["from", "to", "subject"] as const) {
    const chunks = toChunks(criteria[field], limits[field]);
    entries = entries.flatMap((entry) => chunks.map((chunk) => ({ ...entry, [field]: chunk })));
  }
  return entries;
}

/** Why criteria cannot be cut: what must stay whole is too long, or the entries are too many. */
export type Unsplittable = "too-long" | "too-many";

/** How long a chunk of each list may be. */
type Limits = Readonly<Record<"from" | "to" | "subject", number>>;

/**
 * Where to cut the lists so that every combination of their chunks fits and the combinations are
 * fewest; of several such ways, the one with the shortest entries. To fill the chunks of one list
 * after the other would be simpler and can give several times as many entries.
 */
function fewestEntries({ from, to, subject }: Criteria, room: number): Limits | Unsplittable {
  const left = room - longestTerm(from) - longestTerm(to) - longestTerm(subject);
  if (left < 0) return "too-long";

  // The number of chunks of a list when the others are cut as short as they can be.
  const fewest = (terms: readonly string[]) => countChunks(terms, left + longestTerm(terms));
  const product = fewest(from) * fewest(to) * fewest(subject);
  const chunkingsOf = (terms: readonly string[]) =>
    chunkings(terms, fewest(terms), (MAX_FILTERS * fewest(terms)) / product);
  const [toChunkings, subjectChunkings] = [chunkingsOf(to), chunkingsOf(subject)];

  let best: { limits: Limits; entries: number; length: number } | undefined;
  for (const a of chunkingsOf(from)) {
    for (const b of toChunkings) {
      const c = subjectChunkings.find(({ length }) => a.length + b.length + length <= room);
      const entries = a.chunks * b.chunks * (c?.chunks ?? Number.POSITIVE_INFINITY);
      if (!c || entries > (best?.entries ?? MAX_FILTERS)) continue;
      const length = a.length + b.length + c.length;
      if (!best || entries < best.entries || length < best.length) {
        best = { limits: { from: a.length, to: b.length, subject: c.length }, entries, length };
      }
    }
  }
  return best?.limits ?? "too-many";
}

type Terms = readonly string[];

const JOINT = anyOf(["", ""]).length;

/** The length of the terms when they are written as alternatives. */
const listLength = (terms: Terms): number =>
  terms.reduce((total, term) => total + term.length + JOINT, terms.length > 0 ? -JOINT : 0);

/** As short as cutting can make a list. */
const longestTerm = (terms: Terms): number =>
  terms.reduce((longest, term) => Math.max(longest, term.length), 0);

/** A number of chunks, and how short the longest of them can be. */
interface Chunking {
  readonly chunks: number;
  /** Of the longest chunk. */
  readonly length: number;
}

/** The ways to cut a list into `fewest` to `most` chunks, longest chunks first. */
function chunkings(terms: Terms, fewest: number, most: number): readonly Chunking[] {
  const found: Chunking[] = [];
  for (let chunks = fewest; chunks <= Math.min(most, Math.max(terms.length, 1)); chunks += 1) {
    found.push({ chunks, length: shortestLength(terms, chunks) });
  }
  return found;
}

function shortestLength(terms: Terms, chunks: number): number {
  let [low, high] = [longestTerm(terms), listLength(terms)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countChunks(terms, middle) <= chunks) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Cuts a list, in order, into the fewest chunks of at most this length, or of a single term. */
function toChunks(terms: Terms, limit: number): readonly Terms[] {
  const starts = chunkStarts(terms, limit);
  return starts.map((start, index) => terms.slice(start, starts[index + 1]));
}

/** How many chunks of at most this length a list needs. No term may be longer than that. */
const countChunks = (terms: Terms, limit: number): number => chunkStarts(terms, limit).length;

/** The index of each chunk's first term. */
function chunkStarts(terms: Terms, limit: number): readonly number[] {
  const starts = [0];
  let length = -JOINT;
  terms.forEach((term, index) => {
    length += JOINT + term.length;
    if (length > limit && index > 0) {
      starts.push(index);
      length = term.length;
    }
  });
  return starts;
}
