import * as v from "valibot";
import type { NewsletterConfig } from "../config.ts";
import { NewsletterError, redactedMessage } from "../errors.ts";
import { listSpellings } from "../spellings.ts";
import {
  type Fetch,
  httpClient,
  openSession,
  ProfileSchema,
  readList,
  type Session,
  semaphore,
  unexpectedAnswer,
} from "./listmonk-client.ts";
import type { Newsletter, Subscriber, SyncState } from "./newsletter.ts";
import { findSubscriber, subscribe, subscribeExisting } from "./subscribe.ts";

export interface ListmonkApiOptions extends NewsletterConfig {
  readonly fetch?: Fetch;
}

/** The newsletter with credentials, as an operator uses it. Its own methods throw a NewsletterError. */
export interface ListmonkApi extends Newsletter {
  /**
   * Subscribes an address that listmonk has; the name is not used.
   *
   * @returns listmonk's number for the address, undefined when it does not have it.
   */
  syncKnown(subscriber: Subscriber, state: SyncState): Promise<number | undefined>;
  /** Deletes an address. @returns its numbers: listmonk may have it in two spellings, or not at all. */
  remove(email: string, knownId: number | undefined): Promise<readonly number[]>;
}

/**
 * listmonk by its API, with the credentials of an API user. An unsubscribed or blocklisted person is
 * left alone; an existing subscriber gets only the attributes that are missing.
 */
export function listmonkApi(options: ListmonkApiOptions): ListmonkApi {
  const { url, user, token, listId, preconfirm, maxLookups } = options;
  const authorization = { Authorization: `token ${user}:${token}` };
  const send = httpClient(url, authorization, options.fetch ?? fetch);
  const lookUps = semaphore(maxLookups);

  const list = { id: listId, preconfirm };

  return {
    async sync(subscriber, state) {
      try {
        const session = openSession(send, lookUps);
        return { ok: true, listmonkId: await subscribe(session, subscriber, list, state) };
      } catch (error) {
        const rejected = error instanceof NewsletterError && error.kind === "rejected";
        const failure = redactedMessage(error);
        return { ok: false, listmonkId: state.listmonkId, failure, rejected };
      }
    },
    syncKnown: (subscriber, state) =>
      subscribeExisting(openSession(send, lookUps), subscriber, list, state),
    async remove(email, knownId) {
      const session = openSession(send, lookUps);
      const gone: number[] = [];
      while (gone.length < listSpellings(email).length) {
        const found = await findSubscriber(session, email, knownId);
        if (!found) break;
        const path = `/api/subscribers/${found.id}`;
        const answer = await session.call({ method: "DELETE", path });
        if (answer.status !== 200) throw unexpectedAnswer(answer);
        gone.push(found.id);
      }
      return gone;
    },
    async check() {
      const session = openSession(send, lookUps);
      try {
        const warnings = await listWarnings(session, listId);
        return [...warnings, ...(await missingPermissions(session, listId))];
      } catch (error) {
        return [redactedMessage(error)];
      }
    },
  };
}

/** listmonk's super admin. */
const SUPER_ADMIN = 1;

const USER_PERMISSIONS = ["subscribers:manage", "subscribers:get_all", "lists:get_all"];

/** A warning about the permissions that the API user lacks, unless listmonk does not show its account. */
async function missingPermissions(session: Session, listId: number): Promise<string[]> {
  const { status, body } = await session.call({ method: "GET", path: "/api/profile" });
  const profile = v.safeParse(ProfileSchema, body);
  if (status !== 200 || !profile.success) return [];
  const { user_role: role, list_role: lists } = profile.output.data;
  const has = role.permissions ?? [];
  if (role.id === SUPER_ADMIN || has.includes("lists:manage_all")) return [];
  const onList = lists?.lists?.find(({ id }) => id === listId)?.permissions ?? [];
  const missing = USER_PERMISSIONS.filter((permission) => !has.includes(permission));
  if (!onList.includes("list:manage")) missing.push(`manage on list ${listId}`);
  return missing.length === 0
    ? []
    : [`The role of listmonk's API user lacks ${missing.join(", ")}: nobody can be subscribed`];
}

async function listWarnings(session: Session, listId: number): Promise<string[]> {
  const { type, status } = await readList(session, listId);
  const warnings: string[] = [];
  if (type === "private") {
    warnings.push(`List ${listId} is private: listmonk's public pages do not show it by name`);
  }
  if (status !== undefined && status !== "active") {
    warnings.push(
      `List ${listId} is ${status} in listmonk: people are subscribed to it all the same`,
    );
  }
  return warnings;
}
