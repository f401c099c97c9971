import type { SubmittedForm } from "../../form/form-data.ts";

/** The content of a tool's form, as it is kept in the tab. */
export interface Draft {
  readonly data: SubmittedForm;
  /** True when the input came in a link. */
  readonly isLinked: boolean;
  /** The opened text that the form is compared with. */
  readonly source?: string | undefined;
  /** The fields that were typed in. */
  readonly typed: readonly string[];
}

/**
 * Keeps the form in the tab's storage while the user is on another page or reloads this one. The
 * link back to the example forgets it.
 *
 * @param read the draft; undefined while the user has changed nothing.
 */
export function keepDraft(form: HTMLFormElement, read: () => Draft | undefined): void {
  const save = () => {
    const draft = isForgotten ? undefined : read();
    if (!draft) return;
    const write = (kept: Draft) =>
      store((storage) => {
        storage.setItem(storageKey(location), JSON.stringify(kept));
        return true;
      });
    // The storage has room for every form, but not for every opened file.
    write(draft) ?? write({ ...draft, source: undefined });
  };
  addEventListener("pagehide", save);
  // A phone may end a page in the background without an event.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  form.addEventListener("click", ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[data-forget]");
    if (link) forgetDraft(link);
  });
  // The page may come back as it was left.
  addEventListener("pageshow", () => {
    isForgotten = false;
  });
}

/** Forgets the drafts of this address and of the one that the page goes to. */
export function forgetDraft(goal: PageAddress): void {
  isForgotten = true;
  for (const address of [location, goal])
    store((storage) => storage.removeItem(storageKey(address)));
}

let isForgotten = false;

/** The draft that was kept for this address. */
export function keptDraft(): Draft | undefined {
  const draft: unknown = JSON.parse(
    store((storage) => storage.getItem(storageKey(location))) ?? "null",
  );
  return isDraft(draft) ? draft : undefined;
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && "data" in value && "typed" in value;

type PageAddress = Pick<Location, "pathname" | "search">;

/** An address with an input in its query shows another form than the one without. */
const storageKey = ({ pathname, search }: PageAddress): string => `draft ${pathname}${search}`;

/** Uses the tab's storage. @returns undefined if the browser forbids it, or it is full. */
function store<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
