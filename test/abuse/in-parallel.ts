/** Does something with each item, with no more than `width` of them under way at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  act: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) await act(item, index);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** The numbers from 0 up to `count`, which is left out. */
export const upTo = (count: number): readonly number[] => [...Array(count).keys()];
