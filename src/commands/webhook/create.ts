import type { Client } from '../../client/index.ts';
import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
import { isRecorded, recordCreated } from '../../features/live/index.ts';
import { delayedSignal } from '../../platform/delayed-signal.ts';
import { sessionOwner } from '../../runtime/session-owner.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import { hasStoredAddress, storeAddress, maskedWebhook } from './chat-address.ts';
import { chatWebhookView } from './chat-webhook.rows.ts';

/** Longest wait in milliseconds for the reply to the creation after Ctrl-C. */
const graceMilliseconds = 5000;

export interface WebhookCreateOptions {
  readonly group: string;
  readonly showSecrets?: boolean;
}

export async function createChatWebhook(ctx: Context, options: WebhookCreateOptions): Promise<void> {
  const webhook = await create(ctx, await ctx.api(), options.group);
  recordCreated(ctx, webhook.id);
  await storeAddress(ctx, webhook);
  await ctx.out.record(maskedWebhook(webhook, options.showSecrets), chatWebhookView);
}

/**
 * Creates the webhook once. If the reply is lost, searches for the created webhook (CLIENT-2).
 * @throws `outcome_unknown` (exit 14) if the reply was lost, and not exactly one webhook can be the created one.
 */
async function create(ctx: Context, api: Client, group: string): Promise<ChatWebhook> {
  const { signal } = ctx;
  const before = ctx.dryRun ? [] : await api.chatWebhooks.list(group, { signal });
  const delayed = delayedSignal(signal, graceMilliseconds);
  try {
    return await api.chatWebhooks.create(group, { signal, attemptSignal: delayed.signal });
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const [created, second] = await findLost(ctx, api, group, before).catch(() => []);
    if (created && !second) return created;
    throw new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `${error.why}: the service may have created the webhook`,
      {
        hint: nextStep`before you retry, list the webhooks of the group: ${ucctl`webhook list --group ${group}`}`,
        cause: error,
      },
    );
  } finally {
    delayed.end();
  }
}

/** Returns the new webhooks of this user that no other run has recorded, and whose address no other run has stored. */
async function findLost(
  ctx: Context,
  api: Client,
  group: string,
  before: readonly ChatWebhook[],
): Promise<readonly ChatWebhook[]> {
  const known = new Set(before.map(({ id }) => id));
  // The signal of the run is not used, so that the webhook is also found after Ctrl-C.
  const signal = AbortSignal.timeout(5000);
  const created = (await api.chatWebhooks.list(group, { signal })).filter(({ id }) => !known.has(id));
  if (created.length === 0) return [];
  const owner = await sessionOwner({ sender: () => ctx.sender(), signal }, api)();
  const found: ChatWebhook[] = [];
  for (const one of created)
    if (one.creatorId === owner && !isRecorded(ctx, one.id) && !(await hasStoredAddress(ctx, one.id)))
      found.push(one);
  return found;
}
