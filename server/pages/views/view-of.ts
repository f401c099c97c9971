import type { Contract } from "../../../schemas/index.ts";
import type { View } from "../view.ts";
import { pageCode } from "./view-loaders.ts";

const views: ReadonlyMap<string, View> = new Map(
  await Promise.all(
    Array.from(pageCode, async ([name, code]) => [name, await code.view()] as const),
  ),
);

export function viewOf({ name }: Contract): View {
  const view = views.get(name);
  if (!view) throw new Error(`No view is made for ${name}`);
  return view;
}
