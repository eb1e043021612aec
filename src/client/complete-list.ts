import type { Id } from '../contract/common.ts';
import type { Call } from './call.ts';
import { pages, type ListReading, type PageOptions } from './paging.ts';
import type { Transport } from './transport.ts';

/**
 * Reads all records of a paged list. A record that is deleted between two pages shifts the later records, and one of them
 * is then on no page. So the list is read a second time if the service reported a lower total than before, or a higher
 * total than records were read. If records were deleted during the second reading, too, the result has the records of both.
 */
export async function completeList<T extends { readonly id: Id }>(
  transport: Transport,
  call: Call,
  options?: PageOptions,
  reading?: ListReading,
): Promise<readonly T[]> {
  const readOnce = (): Promise<Reading<T>> => readList<T>(transport, call, options, reading);
  const first = await readOnce();
  if (first.isComplete) return [...first.records.values()];
  const second = await readOnce();
  const records = second.isComplete ? second.records : new Map([...first.records, ...second.records]);
  return [...records.values()];
}

interface Reading<T> {
  readonly records: ReadonlyMap<string, T>;
  /** False if a record may be missing. */
  readonly isComplete: boolean;
}

async function readList<T extends { readonly id: Id }>(
  transport: Transport,
  call: Call,
  options: PageOptions | undefined,
  reading: ListReading | undefined,
): Promise<Reading<T>> {
  const totals: number[] = [];
  const records = new Map<string, T>();
  const onTotal = (total: number): void => {
    totals.push(total);
  };
  for await (const record of pages<T>(transport, call, options, { ...reading, onTotal }))
    records.set(String(record.id), record);
  const hasShrunk = totals.some((total, index) => total < (totals[index - 1] ?? 0));
  // A list with one page cannot shift, so its total is not compared.
  const isShort = totals.length > 1 && records.size < (totals.at(-1) ?? 0);
  return { records, isComplete: !hasShrunk && !isShort };
}
