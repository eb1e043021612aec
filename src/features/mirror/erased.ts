import { createHash } from 'node:crypto';
import type { Database } from '../../platform/sqlite.ts';
import type { MessageColumns } from './record.ts';

/** A number as it is remembered after it was erased. */
export function numberHash(salt: string, number: string): string {
  return createHash('sha256').update(`${salt}:${number}`).digest('hex');
}

/** Whether one of some numbers was erased: what has it is not copied again. */
export function erasedNumbers(db: Database): (numbers: readonly string[]) => boolean {
  const rows = db.prepare('SELECT salt, number_hash FROM erased').all() as {
    readonly salt: string;
    readonly number_hash: string;
  }[];
  if (rows.length === 0) return () => false;
  const hashes = new Set(rows.map(({ number_hash }) => number_hash));
  const salts = [...new Set(rows.map(({ salt }) => salt))];
  return (numbers) => numbers.some((number) => salts.some((salt) => hashes.has(numberHash(salt, number))));
}

/** The same for a message. */
export function erasedCheck(db: Database): (record: MessageColumns) => boolean {
  const isErased = erasedNumbers(db);
  return ({ fromNumber, toNumbers }) => isErased([fromNumber ?? '', ...toNumbers.split(' ')]);
}
