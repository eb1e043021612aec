import type { MessageOutcome } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { availabilities } from '../../contract/enums.ts';
import { extensionIdOf } from '../../features/directory/index.ts';
import { DeliveryErrors, messageRecordView, messageView } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError } from '../../errors/command.ts';
import { plural } from '../../platform/counted.ts';
import { checkIds } from './ids.ts';

export interface MessageShowOptions {
  readonly ids: readonly string[];
  readonly availability: readonly ('Alive' | 'Deleted' | 'Purged')[];
  readonly extension: string;
}

export async function showMessages(ctx: Context, options: MessageShowOptions): Promise<void> {
  const { ids, availability, extension } = options;
  checkIds(ids);
  const api = await ctx.api();
  const extensionId = await extensionIdOf(api, extension, ctx.signal);
  const found: Message[] = [];
  const others: MessageOutcome[] = [];
  const asked = availability.length > 0 ? availability : undefined;
  const request = { signal: ctx.signal, extensionId };
  for await (const outcome of api.messages.getMany(ids, asked, request)) {
    if (!outcome.message) others.push(outcome);
    else if (isIncluded(outcome.message, availability)) found.push(outcome.message);
    else others.push({ ...outcome, status: 404, message: undefined });
  }
  const [only] = found;
  // The order of the columns in other formats is stable.
  const view = ctx.out.format === 'table' ? messageRecordView : messageView;
  if (only && ids.length === 1) await ctx.out.record(only, view);
  else if (found.length > 0) await ctx.out.list(found, messageView);
  noteErrors(ctx, found);
  if (others.length > 0) throw notShown(others, found.length > 0, availability.length > 0);
}

/** Whether the user asked for messages with this availability. Dialect `current` returns all messages (CURRENT-18). */
function isIncluded({ availability }: Message, asked: MessageShowOptions['availability']): boolean {
  const states: readonly string[] = asked.length > 0 ? asked : ['Alive'];
  const known: readonly string[] = availabilities;
  return availability === undefined || states.includes(availability) || !known.includes(availability);
}

/** Explains the delivery errors of texts on stderr, because the results contain only their codes. */
function noteErrors(ctx: Context, messages: readonly Message[]): void {
  const errors = new DeliveryErrors();
  for (const message of messages) errors.add(message);
  for (const line of errors.lines) ctx.out.note(line);
}

/** Returns the error for messages that were not in the reply. */
function notShown(others: readonly MessageOutcome[], isPartial: boolean, isWide: boolean): CommandError {
  const missing = others.filter(({ status }) => status === 404).map(({ id }) => id);
  const unanswered = others.filter(({ status }) => status === undefined).map(({ id }) => id);
  const rejected = others.filter(({ status }) => status !== undefined && status !== 404);
  const text = [
    ...(missing.length > 0 ? [`${plural(missing.length, 'message')} ${missing.join(', ')} not found`] : []),
    ...(unanswered.length > 0
      ? [
          `the reply of the service does not include ${plural(unanswered.length, 'message')} ${unanswered.join(', ')}`,
        ]
      : []),
    ...rejected.map(({ id, status, reason }) => `message ${id}: ${reason ?? `HTTP ${status}`}`),
  ].join('; ');
  const missingHint = isWide
    ? 'check the IDs; the service removes purged messages permanently after some days'
    : 'deleted messages are hidden; to include them, use --availability Alive,Deleted,Purged';
  const hint = missing.length > 0 ? missingHint : 'retry, or request one ID at a time';
  if (isPartial) return new CommandError('partial', Exit.partial, text, { hint });
  if (missing.length === others.length) return notFoundError(text, hint);
  return new CommandError('failed', Exit.failed, text, { hint });
}
