import type { Reference } from "../../../src/openapi/document.ts";

type Section<Component> = Readonly<Record<string, Component>>;

/**
 * The component itself, where the document may have a reference to it.
 *
 * @param section the document's components of this kind.
 * @throws when there is no such component, which is a fault of ours.
 */
export function resolve<Component extends object>(
  section: Section<Component>,
  value: Component | Reference,
): Component {
  if (!isReference(value)) return value;
  const found = section[nameOf(value)];
  if (!found) throw new Error(`The OpenAPI document has no ${value.$ref}`);
  return found;
}

/** The name of the component that is referred to. */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf("/") + 1);

const isReference = (value: object): value is Reference => "$ref" in value;
