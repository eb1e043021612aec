import type { Context } from '../../runtime/context.ts';
import { chatWebhookView, maskedWebhook } from './chat-view.ts';

export interface WebhookListOptions {
  readonly group?: string;
  readonly showSecrets?: boolean;
}

/** `webhook list` */
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
