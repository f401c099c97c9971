/** Computes a value when it is first asked for, and keeps it. */
export function once<Value>(compute: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}
