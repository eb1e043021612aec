import {
  changeHolds,
  legalHolds,
  mailboxId,
  openCompliance,
  type LegalHold,
} from '../../features/mirror/postgres/index.ts';
import { readNumber } from '../../features/outgoing/index.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { holdRows } from './retention.rows.ts';

export interface HoldOptions {
  readonly add: readonly string[];
  readonly release: readonly string[];
  readonly reason?: string;
}

/** `store hold`: adds or releases holds, and shows all holds. */
export async function hold(ctx: Context, { add, release, reason }: HoldOptions): Promise<void> {
  if (add.length > 0 && (reason ?? '').trim() === '')
    throw usageError(
      '--add requires --reason',
      'specify the reason for the hold with --reason, such as the number of the case',
    );
  const { db } = await openCompliance(ctx, add.length + release.length > 0 ? 'change' : 'read');
  const now = new Date(ctx.now()).toISOString();
  const keys = await keysOf(ctx, db, '--add', add);
  const released = await keysOf(ctx, db, '--release', release);
  if (keys.length > 0) await changeHolds(db, keys, { reason, now });
  if (released.length > 0) {
    const changed = await changeHolds(db, released, { reason: undefined, now });
    for (const { value } of released)
      if (!changed.some((key) => key.value === value)) ctx.out.warn(`${value} had no legal hold`);
  }
  const rows = (await legalHolds(db)).map((row) =>
    Object.assign({}, row, { setAt: row.setAt.toISOString() }),
  );
  await ctx.out.list(rows, holdRows.list);
}

/** Matches a phone number in any notation, except a number of digits only, which may be the ID of a mailbox. */
const phoneNumber = /^(?!\d+$)[+(\d][\d\s().-]+$/;

async function keysOf(
  ctx: Context,
  db: Postgres,
  flag: string,
  names: readonly string[],
): Promise<readonly Pick<LegalHold, 'kind' | 'value'>[]> {
  const keys: Pick<LegalHold, 'kind' | 'value'>[] = [];
  for (const name of names) {
    if (phoneNumber.test(name)) {
      const { number } = await readNumber(ctx, flag, name, { force: true });
      keys.push({ kind: 'number', value: number });
      continue;
    }
    const value = await mailboxId(db, name);
    if (value === undefined)
      throw notFoundError(
        `mailbox "${name}" not found in the archive`,
        nextStep`${ucctl('sync status')} lists the mailboxes; write a phone number with + and the country code`,
      );
    keys.push({ kind: 'mailbox', value });
  }
  return keys;
}
