import { usageError } from '../../errors/command.ts';
import type { Context, SearchChoice } from '../../runtime/context.ts';
import { callChoices } from './calls.ts';
import { chatWebhookChoices } from './chat-webhooks.ts';
import { eventChoices } from './events.ts';
import { agentChoices, cachedAgents, cachedQueues, memberChoices, queueChoices } from './extensions.ts';
import { messageChoices, type PickedMessages } from './messages.ts';
import { runChoices } from './runs.ts';
import { subscriptionChoices } from './subscriptions.ts';

/**
 * The kind of a value that the user chooses. Profiles are given by the caller, because they are in the configuration.
 */
export type PickKind =
  | 'queues'
  | 'agents'
  | 'subscriptions'
  | 'runs'
  | 'calls'
  | 'chat-webhooks'
  | 'events'
  | PickedMessages
  | 'profiles';

/** The parameters of one choice. */
export interface Pick {
  readonly kind: PickKind;
  /** Name of the argument in the question, such as `QUEUE`. */
  readonly name: string;
  /** The extension that the user named, whose messages or calls are listed; `~` is the extension of the user. */
  readonly extension: string | undefined;
  /** The queue that the user named, whose agents are listed. */
  readonly queue?: string | undefined;
  /** The profiles of the configuration. */
  readonly profiles: () => Promise<readonly SearchChoice[]>;
}

/** Descriptions of the lists, for questions and errors. */
const words: Readonly<Record<PickKind, string>> = {
  queues: 'queues',
  agents: 'agents',
  subscriptions: 'subscriptions',
  runs: 'runs',
  messages: 'messages in the last 30 days',
  'deleted-messages': 'deleted messages in the last 30 days',
  'received-pagers': 'received pager messages in the last 30 days',
  'sent-faxes': 'sent faxes in the last 30 days',
  profiles: 'profiles',
  calls: 'calls in the last 30 days',
  'chat-webhooks': 'chat webhooks',
  events: 'stored events in the last 30 days',
};

/**
 * Offers a list of values and returns the chosen one. Queues and agents come from the cache at first, and are read
 * again while the list is shown. Other values are read before the list is shown.
 * @throws {CommandError} `usage` if there is nothing to choose from.
 */
export async function chooseValue(ctx: Context, pick: Pick): Promise<string> {
  const { kind, name } = pick;
  const read = (signal: AbortSignal) => currentChoices(ctx, pick, signal);
  const cached = await cachedChoices(ctx, pick);
  const isCached = cached.length > 0;
  const choices = isCached
    ? cached
    : await ctx.out.progress(`Reading ${words[kind]}`, () => read(ctx.signal));
  if (choices.length === 0) {
    throw usageError(`${name} is missing, and there are no ${words[kind]} to choose from`, `specify ${name}`);
  }
  return ctx.prompt.search(`Choose ${name}:`, choices, isCached ? read : undefined);
}

async function cachedChoices(ctx: Context, { kind, queue }: Pick): Promise<readonly SearchChoice[]> {
  if (kind === 'queues') return cachedQueues(ctx);
  return kind === 'agents' && queue === undefined ? cachedAgents(ctx) : [];
}

async function currentChoices(
  ctx: Context,
  { kind, extension, queue, profiles }: Pick,
  signal: AbortSignal,
): Promise<readonly SearchChoice[]> {
  if (kind === 'profiles') return profiles();
  if (kind === 'runs') return runChoices(ctx);
  if (kind === 'queues') return queueChoices(ctx, signal);
  if (kind === 'agents' && queue !== undefined) return memberChoices(ctx, queue, signal);
  if (kind === 'agents') return agentChoices(ctx, signal);
  if (kind === 'subscriptions') return subscriptionChoices(ctx, signal);
  if (kind === 'calls') return callChoices(ctx, { extension, signal });
  if (kind === 'chat-webhooks') return chatWebhookChoices(ctx, signal);
  if (kind === 'events') return eventChoices(ctx);
  return messageChoices(ctx, { messages: kind, mailbox: extension ?? '~', signal });
}
