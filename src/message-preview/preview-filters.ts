import type { SkippedEntry } from "../mail-filter/gmail-entry.ts";
import { formatReasons } from "../mail-filter/match/filter-test.ts";
import type { FilterMatcher } from "../mail-filter/match/match-filters.ts";
import { SearchableMessage } from "../mail-filter/match/message.ts";
import { formatCount } from "../text.ts";
import type { ParsedMessage } from "./parse-message.ts";

export interface NamedMessage extends Pick<ParsedMessage, "message"> {
  readonly file: string;
}

/** The filters of an export that could not be read. The preview does not cover them. */
export interface UnreadFilters {
  readonly count: number;
  readonly deleting_or_forwarding: number;
}

export const countUnread = (leftOut: readonly SkippedEntry[]): UnreadFilters => ({
  count: leftOut.length,
  deleting_or_forwarding: leftOut.filter(
    ({ properties }) => properties.shouldTrash !== undefined || properties.forwardTo !== undefined,
  ).length,
});

/** Lists what each filter would do with each message, deleted and forwarded messages first. */
export function previewFilters(
  filters: readonly FilterMatcher[],
  messages: readonly NamedMessage[],
  unread: UnreadFilters,
) {
  const previews = messages.map(({ file, message }) => {
    const searchable = new SearchableMessage(message);
    return {
      file,
      subject: message.subject ?? "",
      filters: filters.map((filter) => {
        const { matched, because: terms } = filter.match(searchable);
        return { name: filter.title, search: filter.search, matched, because: terms };
      }),
    };
  });
  const having = (action: "delete" | "forward_to") =>
    previews.flatMap(({ file, subject, filters: matches }) =>
      matches.flatMap(({ name, matched }, index) =>
        matched !== "no" && filters[index]?.actions[action]
          ? { file, subject, filter: name, matched }
          : [],
      ),
    );
  return {
    deleted: having("delete"),
    forwarded: having("forward_to"),
    unread_filters: unread,
    messages: previews,
  };
}

type Preview = ReturnType<typeof previewFilters>;

export function previewLines({
  deleted,
  forwarded,
  unread_filters: unread,
  messages,
}: Preview): readonly string[] {
  const none =
    unread.deleting_or_forwarding > 0 ? "nothing by the filters that could be read" : "nothing";
  const section = (heading: string, effects: Preview["deleted"]) =>
    effects.length === 0
      ? [`${heading}: ${none}`]
      : [
          heading,
          ...effects.map(
            ({ file, subject, filter, matched }) =>
              `  ${file}, ${subject}: ${matched === "yes" ? "" : "perhaps "}by ${filter}`,
          ),
        ];
  return [
    ...section("Would be deleted", deleted),
    ...section("Would be forwarded", forwarded),
    ...unreadLines(unread),
    ...messages.flatMap(({ file, subject, filters }) => [
      "",
      `${file}: ${subject}`,
      ...filters.map(
        (match) => `  ${match.matched.padEnd(7)} ${match.name}: ${formatReasons(match)}`,
      ),
    ]),
  ];
}

export function unreadLines({ count, deleting_or_forwarding }: UnreadFilters): readonly string[] {
  if (count === 0) return [];
  return [
    `${formatCount(count, "filter")} of the export could not be read (deleting or forwarding messages: ${deleting_or_forwarding || "none"})`,
  ];
}
