import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from } from 'pg-copy-streams';
import { storeErrorOf } from '../../../platform/postgres/errors.ts';
import type { Transaction } from '../../../platform/postgres/postgres.ts';

export type CopyValue = string | number | null;

/** Number of rows that are encoded at once. */
const rowsAtOnce = 100;

/** Writes rows into a table by COPY. @throws {StoreError} */
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

/** The server stores a block while the next one is computed. */
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

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One value in the text format of COPY. PostgreSQL cannot store U+0000; `raw` has it in escaped form only. */
function encoded(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '').replaceAll('\0', '\uFFFD');
}
