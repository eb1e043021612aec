import type { Client } from '../../client/index.ts';
import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import { chatWebhookView, keepAddress, maskedWebhook } from './chat-view.ts';

export interface WebhookCreateOptions {
  readonly group: string;
  readonly showSecrets?: boolean;
}

/** `webhook create --group ID` */
export async function createChatWebhook(ctx: Context, options: WebhookCreateOptions): Promise<void> {
  const webhook = await create(ctx, await ctx.api(), options.group);
  await keepAddress(ctx, webhook);
  await ctx.out.record(maskedWebhook(webhook, options.showSecrets), chatWebhookView);
}

/** When the reply is lost, the new webhook is the one that did not exist before; it is never created twice (CLIENT-2). */
async function create(ctx: Context, api: Client, group: string): Promise<ChatWebhook> {
  const { signal } = ctx;
  const before = ctx.dryRun ? [] : await api.chatWebhooks.list(group, { signal });
  try {
    return await api.chatWebhooks.create(group, { signal });
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const known = new Set(before.map(({ id }) => id));
    const after = await api.chatWebhooks.list(group, { signal: AbortSignal.timeout(5000) }).catch(() => []);
    const [made, second] = after.filter(({ id }) => !known.has(id));
    if (!made || second) throw error;
    return made;
  }
}
