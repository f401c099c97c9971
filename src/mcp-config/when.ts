/** A list with the note, or without it. */
export const when = (condition: boolean, note: string): string[] => (condition ? [note] : []);
