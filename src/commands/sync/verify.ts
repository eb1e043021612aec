import { readCopy, verifyLocal, verifySample, verifyWhole } from '../../features/mirror/index.ts';
import type { Check, MessageStore } from '../../store/message-store.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { DatabaseError } from '../../platform/database-error.ts';
import { checkRows } from './verify.rows.ts';
import { fetchMessageOf } from './fetch-message.ts';
import { openSyncOf } from './mailboxes.ts';

export interface SyncVerifyOptions extends CopyOptions {
  readonly sample: number;
  readonly whole?: boolean;
}

/** `sync verify`: checks the local mailbox copy; exits with 11 if a check fails. */
export async function verifyCopy(ctx: Context, options: SyncVerifyOptions): Promise<void> {
  const checks = await readCopy(ctx, options, async ({ messages, media }) => [
    ...(await verifyLocal(messages, media)),
    ...(await againstService(ctx, messages, options)),
  ]);
  await ctx.out.list(checks, checkRows.list);
  const wrong = checks.filter((check) => check.wrong > 0);
  if (wrong.length > 0) {
    throw new CommandError(
      'copy_differs',
      Exit.conflict,
      `the local mailbox copy has errors or differences: ${wrong.map(({ check, wrong: count }) => `${check} ${count}`).join(', ')}`,
      { hint: repairHint(wrong) },
    );
  }
}

/** Returns the next step after checks that failed. */
function repairHint(wrong: readonly Check[]): Hint {
  const file = wrong.find(({ damagedFile }) => damagedFile !== undefined)?.damagedFile;
  if (file !== undefined)
    return nextStep`sync cannot repair a damaged file: restore it from a backup, or ${new DatabaseError(file, 'damaged').hint}; then copy the messages that the service still has: ${ucctl('sync')}`;
  const isMediaWrong = wrong.some(({ check }) => check === 'attachments');
  return nextStep`sync and verify again; if the errors persist, repair the local mailbox copy: ${ucctl(isMediaWrong ? 'sync --full --media' : 'sync --full')}`;
}

async function againstService(
  ctx: Context,
  store: MessageStore,
  { sample, whole }: SyncVerifyOptions,
): Promise<readonly Check[]> {
  if (whole) return verifyWhole(store, openSyncOf(await ctx.api(), ctx.signal));
  if (sample === 0) return [];
  return [await verifySample(store, fetchMessageOf(await ctx.api(), ctx), sample)];
}
