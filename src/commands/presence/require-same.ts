import type { Client } from '../../client/index.ts';
import { progressText } from '../../features/bulk/index.ts';
import { presenceDrift, type PresencePayload } from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';

/** A planned change of a person. */
export interface PlannedPresence {
  /** Name of the person. */
  readonly subject: string;
  readonly payload: PresencePayload;
}

/**
 * Reads the presences of planned changes again: the new status of a person can depend on the status that was read, and
 * the undo of the run restores the values that were read.
 * @param expected `either` for the changes of an interrupted run, some of which may be made
 * @throws {CommandError} `stale_plan` (exit 11) if somebody has changed a presence since it was read.
 */
export async function requireSamePresences(
  ctx: Context,
  api: Client,
  planned: readonly PlannedPresence[],
  expected: 'before' | 'either',
): Promise<void> {
  const details: string[] = [];
  await ctx.out.progress('Reading presence', async (update) => {
    for (const [done, { subject, payload }] of planned.entries()) {
      update(progressText({ done, failed: 0, total: planned.length }));
      const texts = await presenceDrift(api, payload, expected, ctx.signal);
      if (texts.length > 0) details.push(`${subject}: ${texts.join('; ')}`);
    }
  });
  if (details.length === 0) return;
  const [when, next] =
    expected === 'before'
      ? ['while ucctl waited for the confirmation', 'run the command again']
      : [
          'since the run was interrupted',
          'run the command with the people again instead of resuming the run',
        ];
  throw new CommandError('stale_plan', Exit.conflict, `somebody has changed the presence of people ${when}`, {
    details,
    hint: `nothing was sent; ${next}`,
  });
}
