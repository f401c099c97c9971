import { variablesIn } from "./bash.ts";
import type { ClientRow } from "./clients/client.ts";
import { canBeLinked } from "./install.ts";
import { secretNames } from "./secrets.ts";
import type { Server } from "./server.ts";
import { when } from "./when.ts";

/** What to know before the config is used: how to paste it, the client's own notes, the secrets. */
export function notesOf(row: ClientRow, server: Server): string[] {
  const variables = variablesIn(row.bash?.(server) ?? []).join(", ");
  const secrets = secretNames(server).join(", ");
  const project = row.locations.find(({ scope }) => scope === "project");
  return [
    row.format === "json"
      ? `In a file with other servers add "${server.name}" to "${row.rootKey}", and replace an old one of that name.`
      : `Append the tables to a file with other settings, and replace old ones: a second [${row.rootKey}.${server.name}] is an error.`,
    ...row.notes(server),
    ...when(
      variables !== "",
      `Set ${variables} in the shell before you run the bash line: it reads the value there, so that no secret stands in the shell's history.`,
    ),
    ...when(
      project !== undefined && secrets !== "",
      `Keep ${project?.path} out of version control while the value of ${secrets} is in it.`,
    ),
    ...when(
      row.link !== undefined && !canBeLinked(server),
      "There is no link, because it would carry the values of env or headers into histories and chats.",
    ),
  ];
}
