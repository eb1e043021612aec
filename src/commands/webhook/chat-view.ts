import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { messageOf } from '../../errors/command.ts';

export const chatWebhookView: View<ChatWebhook> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 5 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 4 },
    { key: 'groupIds', title: 'GROUP', kind: 'text', value: (row) => row.groupIds.join(' '), priority: 3 },
    { key: 'creationTime', title: 'CREATED', kind: 'time', value: (row) => row.creationTime, priority: 2 },
    { key: 'uri', title: 'ADDRESS', kind: 'text', value: (row) => row.uri, priority: 1 },
  ],
  empty: 'No chat webhooks.',
};

/** The address is a credential: who knows it can post (CLIENT-13). */
export function maskedWebhook(webhook: ChatWebhook, showSecrets: boolean | undefined): ChatWebhook {
  // A reply may lack it; then there is nothing to hide.
  const isThere = Object.hasOwn(webhook, 'uri');
  return showSecrets || !isThere ? webhook : { ...webhook, uri: '********' };
}

/** Name of its address in the token store. */
export function secretName(id: string): string {
  return `chat-webhook:${id}`;
}

/** Puts the address into the token store, and says so when there is none. */
export async function keepAddress(ctx: Context, { id, uri }: ChatWebhook): Promise<void> {
  const { secrets } = await ctx.auth();
  const isKept = await secrets.write(secretName(id), uri).catch((error: unknown) => {
    ctx.out.warn(`the address could not be kept: ${messageOf(error)}`);
    return true;
  });
  if (!isKept) ctx.out.note('its address is not kept in runs with UCCTL_TOKEN; --show-secrets shows it');
}
