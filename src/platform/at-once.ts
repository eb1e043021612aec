/**
 * Works on items, at most `most` at the same time, and yields the results in the order of the items. After a failure,
 * no further item is started. The failure is thrown when all started items have ended.
 */
export async function* inOrderAtOnce<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const started: Promise<{ readonly value: R } | { readonly error: unknown }>[] = [];
  let next = 0;
  const state = { hasFailed: false };
  const startSome = (): void => {
    while (!state.hasFailed && started.length < most && next < items.length) {
      const item = items[next] as T;
      next += 1;
      started.push(
        work(item).then(
          (value) => ({ value }),
          (error: unknown) => {
            state.hasFailed = true;
            return { error };
          },
        ),
      );
    }
  };
  try {
    for (startSome(); started.length > 0; startSome()) {
      const result = await (started.shift() as (typeof started)[number]);
      if ('error' in result) throw result.error;
      yield result.value;
    }
  } finally {
    state.hasFailed = true;
    await Promise.all(started);
  }
}
