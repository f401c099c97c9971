import { type Html, html } from "../html.ts";
import { sentence } from "../sentence.ts";
import type { Place } from "./place.ts";

/** A remark on what was typed: a problem that stops the tool, or a warning. */
export interface Note {
  /** The place in the input, `filters[0].from[1]`. */
  readonly path: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
}

/** The remarks on a form by their path. */
export type Notes = ReadonlyMap<string, readonly Note[]>;

export const idOfNotes = ({ name }: Place): string => `${name}:notes`;

/** The remarks on one place. The element is there without any too, for the page's script fills it. */
export const noteList = (notes: Notes, place: Place): Html =>
  html`<div class="notes" id="${idOfNotes(place)}" data-part>${notesAt(notes, place).map(noteItem)}</div>`;

export const hasProblem = (notes: Notes, place: Place): boolean =>
  notesAt(notes, place).some(({ severity }) => severity === "error");

const notesAt = (notes: Notes, { path }: Place): readonly Note[] =>
  (path !== undefined && notes.get(path)) || [];

const noteItem = ({ severity, message }: Note): Html =>
  html`<p class="${severity}">${sentence(message)}</p>`;
