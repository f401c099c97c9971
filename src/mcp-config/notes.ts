import { variablesIn } from "./bash.ts";
import type { ClientRow } from "./clients/client.ts";
import { keptFromLinks } from "./install.ts";
import { secretNames } from "./secrets.ts";
import type { Server } from "./server.ts";

/** What to know before the config is used: how to paste it, the client's own notes, the secrets. */
export function notesOf(row: ClientRow, server: Server): string[] {
  return [
    row.format === "json"
      ? `In a file with other servers add "${server.name}" to "${row.rootKey}", and replace an old one of that name.`
      : `Append the tables to a file with other settings, and replace old ones: a second [${row.rootKey}.${server.name}] is an error.`,
    ...row.notes(server),
    ...secretNotes(row, server),
  ];
}

function secretNotes(row: ClientRow, server: Server): string[] {
  const notes: string[] = [];
  const variables = variablesIn(row.bash?.(server) ?? []).join(", ");
  if (variables !== "") {
    notes.push(
      `The bash line holds no value of ${variables}, but reads it from the shell: set it there first.`,
    );
  }
  const secrets = secretNames(server).join(", ");
  const project = row.locations.find(({ scope }) => scope === "project");
  if (project && secrets !== "") {
    notes.push(
      `Keep ${project.path} out of version control while the value of ${secrets} is in it.`,
    );
  }
  const carried = keptFromLinks(server);
  if (row.link && carried) {
    notes.push(`There is no link, because it would carry ${carried} into histories and chats.`);
  }
  return notes;
}
