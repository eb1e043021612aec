import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { copyIntoStore, copyPolicy, openStoreArchive } from '../../features/mirror/postgres/index.ts';
import { contentsOfFile, copyFailure, storedPolicy, storeFailure } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { MessageStore } from '../../store/message-store.ts';
import { copyRows } from './copy.rows.ts';

export interface StoreCopyOptions {
  readonly from: string;
}

/** `store copy`: copies an SQLite file into the store, with a row for each mailbox. */
export async function copyToStore(ctx: Context, { from }: StoreCopyOptions): Promise<void> {
  const file = resolve(ctx.cwd, from);
  if (!existsSync(file)) throw notFoundError(`no local mailbox copy found at ${file}`, ucctl('sync status'));
  const { messages, media } = await openStoreArchive(ctx, 'change');
  const db = await ctx.store();
  try {
    const contents = await contentsOfFile(ctx, file);
    await ctx.out.list(copyIntoStore({ db, media, file, contents }), copyRows.list);
    await copyAction(ctx, { db, messages, file });
  } catch (error) {
    throw copyFailure(storeFailure(error), file);
  }
}

/** Copies the action for deleted messages, and reports what the archive has. */
async function copyAction(
  ctx: Context,
  { db, messages, file }: { readonly db: Postgres; readonly messages: MessageStore; readonly file: string },
): Promise<void> {
  const copied = await copyPolicy(db, file);
  if (copied === undefined) return;
  const { policy, isCopied } = copied;
  if (isCopied) {
    ctx.out.note(`The archive now has --on-delete ${policy} of the file.`);
    return;
  }
  const own = await storedPolicy(messages);
  // Without the flag of this run, the command would change the local mailbox copy.
  const { origin, value = '' } = ctx.settings.storeUrl;
  const store = origin === 'flag' ? ['--store', value] : [];
  if (own !== policy)
    ctx.out.warn(
      nextStep`the file has --on-delete ${policy}, but the archive retains its own action ${own}; to change it: ${ucctl`sync --on-delete ${policy} ${store}`}`,
    );
}
