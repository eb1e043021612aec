import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from } from 'pg-copy-streams';
import { storeErrorOf } from '../../../platform/postgres/errors.ts';
import type { Transaction } from '../../../platform/postgres/postgres.ts';
import { lookupTable } from '../../../platform/lookup-table.ts';

export type CopyValue = string | number | null;

/** Number of rows that are encoded per block. */
const rowsAtOnce = 100;

/** Writes rows into a table with COPY. @throws {StoreError} */
export async function copyIn(
  session: Transaction,
  target: { readonly table: string; readonly columns: readonly string[]; readonly place: string },
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const { table, columns, place } = target;
  const stream = session.client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`));
  try {
    await pipeline(Readable.from(blocks(rows)), stream);
  } catch (error) {
    throw storeErrorOf(error, place);
  }
}

/** The server stores a block while the next block is computed. */
function* blocks(rows: Iterable<readonly CopyValue[]>): Generator<string, void, undefined> {
  let block: string[] = [];
  for (const row of rows) {
    block.push(`${row.map(encoded).join('\t')}\n`);
    if (block.length < rowsAtOnce) continue;
    yield block.join('');
    block = [];
  }
  yield block.join('');
}

/** Characters that COPY does not take as they are. Most values have none, so that the test is faster than a replacement. */
const special = /[\\\t\n\r\0]/;
const escapes: Readonly<Record<string, string>> = lookupTable({
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
});

/** One value in the text format of COPY. PostgreSQL cannot store U+0000; `raw` contains it only in escaped form. */
function encoded(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  if (!special.test(value)) return value;
  return value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '').replaceAll('\0', '\uFFFD');
}
