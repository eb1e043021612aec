import { callResults } from '../../contract/enums.ts';
import { suggest } from '../../platform/suggest.ts';
import type { Context } from '../../runtime/context.ts';

/**
 * Returns a filter for calls by result, without regard to case. The service has no such filter, so ucctl reads all calls
 * and selects them itself. Undefined without results. Warns about a result that is not in the published list, which is
 * not complete.
 */
export function resultFilter(
  ctx: Context,
  wanted: readonly string[],
): ((call: { readonly result?: string | undefined }) => boolean) | undefined {
  if (wanted.length === 0) return undefined;
  const known = new Set(callResults.map((result) => result.toLowerCase()));
  for (const result of wanted.filter((one) => !known.has(one.toLowerCase()))) {
    const [near] = suggest(result, callResults);
    const advice = near === undefined ? '' : `; did you mean "${near}"?`;
    ctx.out.warn(`--result: "${result}" is not a known result of a call${advice}`);
  }
  const results = new Set(wanted.map((result) => result.toLowerCase()));
  return ({ result }) => result !== undefined && results.has(result.toLowerCase());
}

/** Yields the records that a filter selects; all records without a filter. */
export async function* selected<T>(
  records: AsyncIterable<T>,
  filter: ((record: T) => boolean) | undefined,
): AsyncGenerator<T, void, undefined> {
  for await (const record of records) if (filter === undefined || filter(record)) yield record;
}
