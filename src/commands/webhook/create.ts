import type { Client } from '../../client/index.ts';
import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import { storeAddress, maskedWebhook } from './chat-address.ts';
import { chatWebhookView } from './chat-webhook.rows.ts';

export interface WebhookCreateOptions {
  readonly group: string;
  readonly showSecrets?: boolean;
}

export async function createChatWebhook(ctx: Context, options: WebhookCreateOptions): Promise<void> {
  const webhook = await create(ctx, await ctx.api(), options.group);
  await storeAddress(ctx, webhook);
  await ctx.out.record(maskedWebhook(webhook, options.showSecrets), chatWebhookView);
}

/** Creates the webhook once. If the reply is lost, searches for a webhook that did not exist before (CLIENT-2). */
async function create(ctx: Context, api: Client, group: string): Promise<ChatWebhook> {
  const { signal } = ctx;
  const before = ctx.dryRun ? [] : await api.chatWebhooks.list(group, { signal });
  try {
    return await api.chatWebhooks.create(group, { signal });
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const known = new Set(before.map(({ id }) => id));
    const after = await api.chatWebhooks.list(group, { signal: AbortSignal.timeout(5000) }).catch(() => []);
    const [created, second] = after.filter(({ id }) => !known.has(id));
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
  }
}
