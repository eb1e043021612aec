import type { Client } from '../../client/index.ts';
import type { Message, Party } from '../../contract/message.ts';
import { counted } from '../../platform/counted.ts';
import { hasFailed, isFinal, missedRecipients, type MessageState } from '../../platform/message-failure.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf, notFoundError } from '../../errors/command.ts';
import { type CommandText, nextStep, ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import { statusWords } from './message.rows.ts';

/**
 * Milliseconds of the first and the longest pause between two requests. At most 12 of the 50 light requests per minute
 * are used.
 */
const pauseMilliseconds = { first: 1000, longest: 5000 } as const;

/** The options for waiting for the final status of a sent message and for showing it. */
export interface MessageWait {
  readonly api: Pick<Client, 'messages'>;
  /** The type that the command sends, for replies without a type. */
  readonly type: 'SMS' | 'Pager' | 'Fax';
  readonly timeoutSeconds: number;
  readonly view: View<Message>;
  /** Label of the progress line, such as `sending the fax`. */
  readonly label: string;
}

/** The members of a message that determine when a wait ends. */
type Watched = MessageState & Pick<Message, 'id' | 'to' | 'deliveryErrorCode'>;

function watched(
  { type, messageStatus, id, to, deliveryErrorCode }: Watched,
  sent: MessageWait['type'],
): Watched {
  return { type: type ?? sent, messageStatus, id, to, deliveryErrorCode };
}

/**
 * Waits until the status of a sent message is final or the timeout is over. Shows the last known status even after a
 * failure, because the message has been sent.
 * @throws {CommandError} `state_not_reached` (exit 13) if the message did not arrive or its status could not be read;
 * `partial` if only some recipients received the message.
 */
export async function showFinalStatus(ctx: Context, sent: Message, wait: MessageWait): Promise<void> {
  let last = sent;
  let failure: unknown;
  try {
    await ctx.out.progress(wait.label, async (update) => {
      for await (const message of statesOf(ctx, sent, wait)) {
        last = message;
        update(statusWords(message));
      }
    });
  } catch (error) {
    failure = error;
  }
  await ctx.out.record(last, wait.view);
  const seen = watched(last, wait.type);
  const what = `${nounOf(seen.type)} ${sent.id}`;
  const later = nextStep`to check the status later: ${lookAt(seen)}`;
  if (ctx.signal.aborted) {
    if (!isFinal(seen))
      ctx.out.warn(
        nextStep`${what} is ${statusWords(last)}; the service is still processing the message; ${later}`,
      );
    ctx.signal.throwIfAborted();
  }
  // The failure itself is not thrown, because its exit code 7 would mean that nothing was sent.
  if (failure !== undefined) {
    throw new CommandError(
      'state_not_reached',
      Exit.stateNotReached,
      `${what}: the last known status is "${statusWords(last)}"; ucctl could not read the status: ${messageOf(failure)}`,
      { hint: later, cause: failure },
    );
  }
  const notReached = stateNotReached(seen);
  if (notReached) throw notReached;
}

/**
 * Shows a message that was just sent, with its status in the reply.
 * @throws {CommandError} `state_not_reached` (exit 13) if the message has already failed; `partial` if it has failed for
 * some recipients.
 */
export async function showSent(
  ctx: Pick<Context, 'out'>,
  sent: Message,
  { type, view }: Pick<MessageWait, 'type' | 'view'>,
): Promise<void> {
  await ctx.out.record(sent, view);
  const seen = watched(sent, type);
  const failure = hasFailed(seen) ? stateNotReached(seen) : notReceived(seen);
  if (failure) throw failure;
}

/** Yields the message after every request, until its status is final or the timeout is over. */
async function* statesOf(
  ctx: Pick<Context, 'elapsed' | 'sleep' | 'signal'>,
  sent: Message,
  { api, timeoutSeconds, type }: MessageWait,
): AsyncGenerator<Message, void, undefined> {
  const until = ctx.elapsed() + timeoutSeconds * 1000;
  // A request without a reply must not outlast the timeout.
  const end = AbortSignal.timeout(timeoutSeconds * 1000);
  const signal = AbortSignal.any([ctx.signal, end]);
  let message = sent;
  let pause: number = pauseMilliseconds.first;
  while (!isFinal(watched(message, type)) && ctx.elapsed() < until) {
    await ctx.sleep(Math.max(0, Math.min(pause, until - ctx.elapsed())));
    pause = Math.min(pause * 1.5, pauseMilliseconds.longest);
    try {
      message = await api.messages.get(sent.id, '~', { signal });
    } catch (error) {
      if (end.aborted && !ctx.signal.aborted) return;
      throw error;
    }
    requireAvailable(message);
    yield message;
  }
}

/**
 * Dialect `current` also returns deleted messages (CURRENT-18). The status of a message that was deleted while queued may
 * never change, because its deletion cancels a fax (FAX-7).
 * @throws {CommandError} `not_found` for such a message.
 */
function requireAvailable({ id, availability, messageStatus }: Message): void {
  if (messageStatus !== 'Queued' || (availability !== 'Deleted' && availability !== 'Purged')) return;
  throw notFoundError(`message ${id} not found: it was deleted before the service sent it`);
}

/** Returns the error for a message that did not reach its final status; undefined for success. */
function stateNotReached(message: Watched): CommandError | undefined {
  const { messageStatus, type, id } = message;
  // While the service is still sending to other recipients, the message has not reached a state.
  const isSending = !isFinal(message) && message.to.some((party) => isOpen(party, message));
  const missed = isSending ? undefined : notReceived(message);
  if (missed) return missed;
  if (messageStatus === 'Delivered' || (type === 'Fax' && messageStatus === 'Sent')) return undefined;
  if (isFinal(message)) {
    return new CommandError(
      'state_not_reached',
      Exit.stateNotReached,
      `${nounOf(type)} ${id}: ${statusWords(message)}`,
      { hint: nextStep`to show the reason and all recipients: ${lookAt(message)}` },
    );
  }
  if (type === 'SMS' && messageStatus === 'Sent' && !message.to.some(hasFailed)) {
    return new CommandError(
      'state_not_reached',
      Exit.stateNotReached,
      `text ${id}: sent, but no delivery report arrived in time`,
      {
        hint: nextStep`some carriers send no reports, and the service discards texts to Disabled or Frozen extensions; to check the text later: ${lookAt(message)}`,
      },
    );
  }
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `${nounOf(type)} ${id}: still ${statusWords(message)}`,
    {
      hint: nextStep`wait longer with --wait-timeout, or check the status later: ${lookAt(message)}`,
      retryable: false,
    },
  );
}

/**
 * Whether the service has not yet sent a message to a recipient. A recipient without a status has the status of the
 * message.
 */
function isOpen(party: Party, message: Watched): boolean {
  const messageStatus = party.messageStatus ?? message.messageStatus;
  return messageStatus !== 'Sent' && !isFinal({ messageStatus });
}

/**
 * Returns the error for a message that some recipients did not receive although the message itself has not failed;
 * undefined for any other message.
 */
function notReceived(message: Watched): CommandError | undefined {
  const { type, id, to } = message;
  const missed = missedRecipients(message);
  if (missed === 0) return undefined;
  const noun = nounOf(type);
  const text = `${noun} ${id}: ${missed} of ${counted(to.length, 'recipient')} did not receive the ${noun}: ${statusWords(message)}`;
  const look = isFinal(message)
    ? nextStep`to show the reason and all recipients: ${lookAt(message)}`
    : nextStep`to check the status later: ${lookAt(message)}`;
  const hint =
    type === 'Fax' && isFinal(message)
      ? nextStep`to resend the fax: ${ucctl`fax resend ${id} --to NUMBER`}`
      : look;
  return missed === to.length
    ? new CommandError('state_not_reached', Exit.stateNotReached, text, { hint })
    : new CommandError('partial', Exit.partial, text, { hint });
}

function lookAt({ type, id }: Watched): CommandText {
  return ucctl`${type === 'Fax' ? ['fax', 'status'] : ['message', 'show']} ${id}`;
}

function nounOf(type: string | undefined): string {
  if (type === 'Pager') return 'message';
  return type === 'Fax' ? 'fax' : 'text';
}
