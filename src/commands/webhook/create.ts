import type { Client } from '../../client/index.ts';
import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
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
    if (!created || second) throw error;
    return created;
  }
}
