import type { Components, Reference } from "./document.ts";

/** Points to a component of the document. */
export const reference = (section: keyof Components, name: string): Reference => ({
  $ref: `#/components/${section}/${name}`,
});
