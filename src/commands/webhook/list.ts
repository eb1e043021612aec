import type { Context } from '../../runtime/context.ts';
import { maskedWebhook } from './chat-address.ts';
import { chatWebhookView } from './chat-webhook.rows.ts';

export interface WebhookListOptions {
  readonly group?: string;
  readonly showSecrets?: boolean;
}

export async function listChatWebhooks(
  ctx: Context,
  { group, showSecrets }: WebhookListOptions,
): Promise<void> {
  const api = await ctx.api();
  const all = await api.chatWebhooks.list(group, { signal: ctx.signal });
  await ctx.out.list(
    all.map((one) => maskedWebhook(one, showSecrets)),
    chatWebhookView,
  );
}
