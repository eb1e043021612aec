import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { type CommandText, hintText, nextStep, ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import { statusWords } from './message.rows.ts';
import { isFinal, type MessageState } from './words.ts';

/** First pause between two looks, and the longest: 12 of 50 light requests a minute. */
const pauseMilliseconds = { first: 1000, longest: 5000 } as const;

/** How the end of a sent message is waited for and shown. */
export interface MessageWait {
  readonly api: Pick<Client, 'messages'>;
  /** What the command sends: the type of a message whose reply names none. */
  readonly type: 'SMS' | 'Fax';
  readonly timeoutSeconds: number;
  readonly view: View<Message>;
  /** Beside the progress, e.g. `sending the fax`. */
  readonly label: string;
}

/** A message for the decisions of a wait; what is shown is the message as it was served. */
type Watched = MessageState & Pick<Message, 'id' | 'to' | 'deliveryErrorCode'>;

function watched(
  { type, messageStatus, id, to, deliveryErrorCode }: Watched,
  sent: MessageWait['type'],
): Watched {
  return { type: type ?? sent, messageStatus, id, to, deliveryErrorCode };
}

/**
 * Waits until the status of a sent message is final, or the time is up; shows it as it was seen last, whatever broke meanwhile: it is out.
 * @throws {CommandError} `state_not_reached` (exit 13) when it did not arrive, or could not be looked at any more; `partial` for a fax that only some got.
 */
export async function showEnd(ctx: Context, sent: Message, wait: MessageWait): Promise<void> {
  let last = sent;
  let trouble: unknown;
  try {
    await ctx.out.progress(wait.label, async (update) => {
      for await (const message of looksAt(ctx, sent, wait)) {
        last = message;
        update(statusWords(message));
      }
    });
  } catch (error) {
    trouble = error;
  }
  await ctx.out.record(last, wait.view);
  const seen = watched(last, wait.type);
  const what = `${nounOf(seen.type)} ${sent.id}`;
  const later = nextStep`look later: ${lookAt(seen)}`;
  if (ctx.signal.aborted) {
    if (!isFinal(seen))
      ctx.out.warn(`${what} is ${statusWords(last)}, and it goes on without us; ${hintText(later)}`);
    ctx.signal.throwIfAborted();
  }
  // Never the error itself: exit 7 would say that nothing went out.
  if (trouble !== undefined) {
    throw new CommandError(
      'state_not_reached',
      Exit.stateNotReached,
      `${what}: ${statusWords(last)} when it was seen last; it cannot be looked at any more: ${messageOf(trouble)}`,
      { hint: later, cause: trouble },
    );
  }
  const failure = stateNotReached(seen);
  if (failure) throw failure;
}

/** The message at every look, until its status is final or the time is up. */
async function* looksAt(
  ctx: Pick<Context, 'now' | 'sleep' | 'signal'>,
  sent: Message,
  { api, timeoutSeconds, type }: MessageWait,
): AsyncGenerator<Message, void, undefined> {
  const until = ctx.now() + timeoutSeconds * 1000;
  // A look that gets no reply must not outlast the wait.
  const end = AbortSignal.timeout(timeoutSeconds * 1000);
  const signal = AbortSignal.any([ctx.signal, end]);
  let message = sent;
  let pause: number = pauseMilliseconds.first;
  while (!isFinal(watched(message, type)) && ctx.now() < until) {
    await ctx.sleep(Math.max(0, Math.min(pause, until - ctx.now())));
    pause = Math.min(pause * 1.5, pauseMilliseconds.longest);
    try {
      message = await api.messages.get(sent.id, '~', { signal });
    } catch (error) {
      if (end.aborted && !ctx.signal.aborted) return;
      throw error;
    }
    yield message;
  }
}

/** What a wait ends with whose state was not reached; undefined when it was. */
function stateNotReached(message: Watched): CommandError | undefined {
  const { messageStatus, type, id } = message;
  const missed = message.to.filter(({ faxErrorCode }) => faxErrorCode !== undefined).length;
  if (type === 'Fax' && messageStatus === 'Sent' && missed > 0) {
    const text = `fax ${id}: ${missed} of ${counted(message.to.length, 'receiver')} did not get it: ${statusWords(message)}`;
    return new CommandError('partial', Exit.partial, text, {
      hint: nextStep`send it to them again: ${ucctl(`fax resend ${id} --to NUMBER`)}`,
    });
  }
  if (messageStatus === 'Delivered' || (type === 'Fax' && messageStatus === 'Sent')) return undefined;
  if (isFinal(message)) {
    return new CommandError(
      'state_not_reached',
      Exit.stateNotReached,
      `${nounOf(type)} ${id}: ${statusWords(message)}`,
    );
  }
  if (type === 'SMS' && messageStatus === 'Sent') {
    return new CommandError(
      'state_not_reached',
      Exit.stateNotReached,
      `text ${id}: sent, no delivery report came in time`,
      {
        hint: nextStep`some carriers give none; a text to a Disabled or Frozen extension is dropped and stays in your outbox only. Look later: ${lookAt(message)}`,
      },
    );
  }
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `${nounOf(type)} ${id}: still ${statusWords(message)}`,
    {
      hint: nextStep`look later: ${lookAt(message)}; --wait-timeout waits longer`,
      retryable: false,
    },
  );
}

function lookAt({ type, id }: Watched): CommandText {
  return ucctl(`${type === 'Fax' ? 'fax status' : 'message show'} ${id}`);
}

function nounOf(type: string | undefined): string {
  return type === 'Fax' ? 'fax' : 'text';
}
