import type { Client } from '../../client/index.ts';
import type { TextRunDetail } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import { canSend } from './sender.ts';

/** A text run that is resumed. */
interface ResumedRun {
  readonly id: string;
  readonly detail: TextRunDetail;
  /** The sender of the remaining texts. */
  readonly from: string;
}

/**
 * Requires that the user who resumes a run is the user who started it, because the texts would otherwise come from
 * another person. An access token does not show its user, so then the sender must be a number of the current user.
 * @throws {CommandError} `other_user` (exit 11)
 */
export async function requireSameSender(ctx: Context, api: Client, run: ResumedRun): Promise<void> {
  const { sender } = run.detail;
  if (sender === undefined) return;
  const current = await ctx.sender();
  if (current === sender) return;
  const areKnown = [sender, current].every((user) => user.startsWith('extension '));
  if (!areKnown && (await isOwnNumber(ctx, api, run))) return;
  const by = sender.startsWith('extension ') ? sender : 'another user';
  throw new CommandError(
    'other_user',
    Exit.conflict,
    `run ${run.id} was started by ${by}, with ${run.from}`,
    {
      hint: 'nothing was sent; to resume the run, sign in as this user, or use their access token',
    },
  );
}

/** Whether the user can send from the number; true if the user may not read their numbers. */
async function isOwnNumber(ctx: Context, api: Client, { detail, from }: ResumedRun): Promise<boolean> {
  const feature = detail.highVolume ? 'A2PSmsSender' : 'SmsSender';
  try {
    for await (const number of api.phoneNumbers.list('~', { signal: ctx.signal }))
      if (number.phoneNumber === from && canSend(number, feature)) return true;
    return false;
  } catch (error) {
    if (isRejectedByService(error, 403)) return true;
    throw error;
  }
}
