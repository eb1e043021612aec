import type { Queries } from '../../../platform/postgres/postgres.ts';
import { OtherAccountError } from '../other-account.ts';

/** Returns the account whose data the archive contains; undefined if it is not bound to an account. @throws {StoreError} */
export async function boundAccount(db: Queries): Promise<string | undefined> {
  const [known] = await db.query<{ id: string }>('select account_id as id from archive_account');
  return known?.id;
}

/**
 * Binds the archive to the account of its first reply, within the transaction that stores the reply. Has no effect if
 * the reply does not name its account. @throws {OtherAccountError} if the archive contains the data of another account.
 * @throws {StoreError}
 */
export async function bindAccount(transaction: Queries, accountId: string | undefined): Promise<void> {
  if (accountId === undefined) return;
  const known = await boundAccount(transaction);
  if (known === accountId) return;
  if (known !== undefined) throw new OtherAccountError(known, accountId);
  const added = await transaction.run(
    'insert into archive_account (account_id) values ($1) on conflict do nothing',
    [accountId],
  );
  // Another machine bound the archive at the same time.
  if (added === 0) await bindAccount(transaction, accountId);
}
