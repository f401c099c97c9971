import type * as v from "valibot";
import { ListSchema, read } from "./answers.ts";
import type { Session } from "./session.ts";
import { SyncFailure } from "./sync-failure.ts";

type List = v.InferOutput<typeof ListSchema>["data"];

/** What listmonk says of the list, with the opt-in that was seen last. */
export interface ListInfo {
  /** What the operator should know before anybody signs up. */
  warnings(session: Session): Promise<readonly string[]>;
  /** Whether people must confirm by mail. It is asked only when it was not seen at the start. */
  isDoubleOptIn(session: Session): Promise<boolean>;
}

export function listInfo(listId: number): ListInfo {
  let optin: string | undefined;

  const ask = async (session: Session): Promise<List> => {
    const answer = await session.call({ method: "GET", path: `/api/lists/${listId}` });
    if ([401, 403].includes(answer.status)) {
      throw new SyncFailure(
        `listmonk refuses the API user and token, or their role may not see list ${listId}`,
      );
    }
    if ([400, 404].includes(answer.status)) {
      throw new SyncFailure(`listmonk has no list ${listId}: check LISTMONK_LIST_ID`);
    }
    const list = read(ListSchema, answer).data;
    optin = list.optin;
    return list;
  };

  return {
    warnings: async (session) => warningsOf(listId, await ask(session)),
    isDoubleOptIn: async (session) => (optin ?? (await ask(session)).optin) === "double",
  };
}

function warningsOf(listId: number, { type, status }: List): string[] {
  const warnings: string[] = [];
  if (type === "private") {
    warnings.push(`List ${listId} is private: listmonk's public pages do not show it by name`);
  }
  if (status !== undefined && status !== "active") {
    warnings.push(`List ${listId} is ${status} in listmonk: people are put on it all the same`);
  }
  return warnings;
}
