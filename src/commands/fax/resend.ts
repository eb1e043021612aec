import type { Message } from '../../contract/message.ts';
import { faxView, showSent } from '../../features/mailbox/index.ts';
import { confirmRequest, outcomeUnknown, readNumbers } from '../../features/outgoing/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { readFax } from './status.ts';
import { waitForFax } from './wait.ts';

export interface FaxResendOptions {
  readonly id: string;
  readonly to: readonly string[];
  readonly forceNumber?: boolean;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
  readonly dedupeKey?: string;
}

/**
 * `fax resend ID`: the request always names the recipients, even if the earlier fax had the same recipients, so that
 * the policy can check them.
 */
export async function resendFax(ctx: Context, options: FaxResendOptions): Promise<void> {
  const { id } = options;
  const typed = await readNumbers(ctx, options.to, { force: options.forceNumber, canForce: true });
  const policy = await ctx.policy();
  const given = typed.map(({ number }) => number);
  if (given.length > 0) await policy.check({ kind: 'fax', numbers: given, count: given.length });
  const api = await ctx.api();
  const fax = await readFax(ctx, api, id);
  const numbers = given.length > 0 ? given : earlierReceivers(fax);
  await policy.check({ kind: 'fax', numbers, count: numbers.length });
  ctx.out.preview(`resend fax ${id}, ${pagesOf(fax)}, to ${numbers.join(', ')} (${numbers.length})`);
  await confirmRequest(ctx, 'Resend this fax?');
  const request = { originalMessageId: fax.id, to: numbers.map((phoneNumber) => ({ phoneNumber })) };
  const sent = await outcomeUnknown(
    ctx,
    `the service may have sent the fax to ${numbers.join(', ')}`,
    ucctl('fax list'),
    () => api.faxes.resend(request, { dedupeKey: options.dedupeKey }),
  );
  if (options.wait) return waitForFax(ctx, api, sent, options.waitTimeout);
  await showSent(ctx, sent, { type: 'Fax', view: faxView });
}

/** @throws {CommandError} `usage` if the number of a recipient is unknown, because the fax would not reach it. */
function earlierReceivers({ id, direction, to }: Message): readonly string[] {
  const numbers = direction === 'Outbound' ? to.flatMap(({ phoneNumber }) => phoneNumber ?? []) : [];
  const hint = 'specify the recipients with --to NUMBER';
  if (direction === 'Inbound') throw usageError(`fax ${id} is an incoming fax and has no recipients`, hint);
  if (numbers.length > 0 && numbers.length === to.length) return numbers;
  const count = counted(to.length, 'recipient');
  throw usageError(`the service returns the number of ${numbers.length} of the ${count} of fax ${id}`, hint);
}

function pagesOf({ faxPageCount }: Message): string {
  return faxPageCount === undefined ? '? pages' : counted(faxPageCount, 'page');
}
