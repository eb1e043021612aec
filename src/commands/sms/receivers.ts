import { dialects } from '../../contract/dialects.ts';
import { readNumbers, type UnderstoodNumber } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep } from '../../errors/hint.ts';
import { stepToDialect } from '../../runtime/other-dialect.ts';
import { pagerHint } from './pager-hint.ts';

/** The options of `sms send` that determine the recipients. */
interface ReceiverOptions {
  readonly to: readonly string[];
  readonly group?: boolean | undefined;
  readonly forceNumber?: boolean | undefined;
}

/**
 * Returns the recipients of one text: one number, or a group.
 * @throws {CommandError} `usage` without --to, for several numbers without --group, or above the limit of the dialect.
 */
export async function readReceivers(
  ctx: Context,
  { to, group, forceNumber }: ReceiverOptions,
): Promise<readonly UnderstoodNumber[]> {
  if (to.length === 0)
    throw usageError(
      '--to NUMBER is missing',
      'use --to NUMBER; for a list, use --file LIST with --template TEXT',
    );
  const numbers = await readNumbers(ctx, to, {
    force: forceNumber,
    canForce: true,
    forExtension: pagerHint,
  });
  if (numbers.length === 1) return numbers;
  if (!group)
    throw usageError(
      `--to has ${numbers.length} numbers, but a text has one recipient`,
      'to send one text to all numbers as a group, add --group; to send each recipient a separate text, use --file LIST with --template TEXT',
    );
  const { value: dialect } = ctx.settings.dialect;
  const most = dialects[dialect].limits.smsRecipients;
  if (most === 1)
    throw usageError(
      `--group cannot be used: a text has only one recipient in dialect ${dialect}`,
      nextStep`use --file LIST with --template TEXT; ${stepToDialect('current', ctx.settings, 'groups')}`,
    );
  if (numbers.length > most)
    throw usageError(
      `--group has ${numbers.length} recipients, but a group has at most ${most}`,
      'use smaller groups, or --file LIST with --template TEXT',
    );
  return numbers;
}
