import { createHash } from 'node:crypto';
import type { Database } from '../../platform/sqlite.ts';
import type { MessageColumns } from './record.ts';

/** A number as it is remembered after it was erased. */
export function numberHash(salt: string, number: string): string {
  return createHash('sha256').update(`${salt}:${number}`).digest('hex');
}

/** Whether a message has a number that was erased; such messages are not copied again. */
export function erasedCheck(db: Database): (record: MessageColumns) => boolean {
  const rows = db.prepare('SELECT salt, number_hash FROM erased').all() as {
    readonly salt: string;
    readonly number_hash: string;
  }[];
  if (rows.length === 0) return () => false;
  const hashes = new Set(rows.map(({ number_hash }) => number_hash));
  const salts = [...new Set(rows.map(({ salt }) => salt))];
  return ({ fromNumber, toNumbers }) =>
    [fromNumber ?? '', ...toNumbers.split(' ')].some((number) =>
      salts.some((salt) => hashes.has(numberHash(salt, number))),
    );
}
