import { createHash } from 'node:crypto';
import type { Preparer } from '../../platform/named-statement.ts';
import type { ExcludableRecord } from '../../store/message-store.ts';

/** Returns the salted hash that represents an erased number. */
export function numberHash(salt: string, number: string): string {
  return createHash('sha256').update(`${salt}:${number}`).digest('hex');
}

/**
 * Returns a function that checks whether one of several numbers was erased; records with such a number are not copied.
 */
export function erasedNumbers(db: Preparer): (numbers: readonly string[]) => boolean {
  const rows = db.prepare('SELECT salt, number_hash FROM erased').all() as {
    readonly salt: string;
    readonly number_hash: string;
  }[];
  if (rows.length === 0) return () => false;
  const hashes = new Set(rows.map(({ number_hash }) => number_hash));
  const salts = [...new Set(rows.map(({ salt }) => salt))];
  return (numbers) => numbers.some((number) => salts.some((salt) => hashes.has(numberHash(salt, number))));
}

/** Applies the check of `erasedNumbers` to a message. */
export function erasedCheck(db: Preparer): (record: ExcludableRecord) => boolean {
  const isErased = erasedNumbers(db);
  return ({ fromNumber, toNumbers }) => isErased([fromNumber ?? '', ...toNumbers.split(' ')]);
}
