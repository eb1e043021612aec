import { type Check, readCopy, verifyLocal, verifySample, verifyWhole } from '../../features/mirror/index.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import { fetchMessageOf } from './fetch-message.ts';
import { openSyncOf } from './mailboxes.ts';

export interface SyncVerifyOptions extends CopyOptions {
  readonly sample: number;
  readonly whole?: boolean;
}

const view: View<Check> = {
  columns: [
    { key: 'check', title: 'CHECK', value: (row) => row.check },
    { key: 'checked', title: 'CHECKED', kind: 'number', value: (row) => row.checked },
    { key: 'wrong', title: 'WRONG', kind: 'number', value: (row) => row.wrong },
    { key: 'details', title: 'DETAILS', value: (row) => row.details.join('; ') },
  ],
};

/** `sync verify`; exit 11 when something is wrong. */
export async function verifyCopy(ctx: Context, options: SyncVerifyOptions): Promise<void> {
  const checks = await readCopy(ctx, options, async (db, file) => [
    ...(await verifyLocal(db, file)),
    ...(await againstService(ctx, db, options)),
  ]);
  await ctx.out.list(checks, view);
  const wrong = checks.filter((check) => check.wrong > 0);
  const isMediaWrong = wrong.some(({ check }) => check === 'attachments');
  if (wrong.length > 0) {
    throw new CommandError(
      'copy_differs',
      Exit.conflict,
      `the copy differs: ${wrong.map(({ check, wrong: count }) => `${check} ${count}`).join(', ')}`,
      {
        hint: nextStep`sync and verify again; ${ucctl(`sync --full${isMediaWrong ? ' --media' : ''}`)} repairs`,
      },
    );
  }
}

async function againstService(
  ctx: Context,
  db: Database,
  { sample, whole }: SyncVerifyOptions,
): Promise<readonly Check[]> {
  if (whole) return verifyWhole(db, openSyncOf(await ctx.api(), ctx.signal));
  if (sample === 0) return [];
  return [await verifySample(db, fetchMessageOf(await ctx.api(), ctx.signal), sample)];
}
