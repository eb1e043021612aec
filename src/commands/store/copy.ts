import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { copyIntoStore, openStoreArchive } from '../../features/mirror/postgres/index.ts';
import { contentsOfFile, copyFailure, storeFailure } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { copyRows } from './copy.rows.ts';

export interface StoreCopyOptions {
  readonly from: string;
}

/** `store copy`: copies an SQLite file into the store, with a row for each mailbox. */
export async function copyToStore(ctx: Context, { from }: StoreCopyOptions): Promise<void> {
  const file = resolve(ctx.cwd, from);
  if (!existsSync(file)) throw notFoundError(`no local mailbox copy found at ${file}`, ucctl('sync status'));
  const { media } = await openStoreArchive(ctx, 'change');
  const [db, { requireSchema }] = await Promise.all([ctx.store(), import('../../store/index.ts')]);
  await requireSchema(db);
  try {
    const contents = await contentsOfFile(ctx, file);
    await ctx.out.list(copyIntoStore({ db, media, file, contents }), copyRows.list);
  } catch (error) {
    throw copyFailure(storeFailure(error), file);
  }
}
