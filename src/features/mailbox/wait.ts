import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';
import { isFinal, statusWords } from './words.ts';

/** First pause between two looks, and the longest: 12 of 50 light requests a minute. */
const pauseMilliseconds = { first: 1000, longest: 5000 } as const;

/** Looks at a sent message until its status is final, or the time is up. Answers it as it was seen last. */
export async function waitForMessage(
  ctx: Pick<Context, 'now' | 'sleep' | 'signal'>,
  api: Pick<Client, 'messages'>,
  sent: Message,
  timeoutSeconds: number,
  onChange: (text: string) => void = () => undefined,
): Promise<Message> {
  const until = ctx.now() + timeoutSeconds * 1000;
  let message = sent;
  let pause: number = pauseMilliseconds.first;
  while (!isFinal(message) && ctx.now() < until) {
    await ctx.sleep(Math.max(0, Math.min(pause, until - ctx.now())));
    pause = Math.min(pause * 1.5, pauseMilliseconds.longest);
    message = await api.messages.get(sent.id, '~', { signal: ctx.signal });
    onChange(statusWords(message));
  }
  return message;
}

/** What a wait ends with whose state was not reached; undefined when it was. */
export function stateNotReached(message: Message): CommandError | undefined {
  const { messageStatus, type, id } = message;
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
        hint: `some carriers give none; a text to a Disabled or Frozen extension is dropped and stays in your outbox only. Look later: ucctl message show ${id}`,
      },
    );
  }
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `${nounOf(type)} ${id}: still ${statusWords(message)}`,
    {
      hint: `look later: ucctl ${type === 'Fax' ? 'fax status' : 'message show'} ${id}; --wait-timeout waits longer`,
      retryable: false,
    },
  );
}

function nounOf(type: string): string {
  return type === 'Fax' ? 'fax' : 'text';
}
