import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';

/**
 * Returns the webhook with a masked address, unless `showSecrets`: anyone who knows the address can post (CLIENT-13).
 */
export function maskedWebhook(webhook: ChatWebhook, showSecrets: boolean | undefined): ChatWebhook {
  const hasAddress = Object.hasOwn(webhook, 'uri');
  return showSecrets || !hasAddress ? webhook : { ...webhook, uri: '********' };
}

/** Name of the address of a chat webhook in the token store. */
export function secretName(id: string): string {
  return `chat-webhook:${id}`;
}

/** Whether a run has stored the address of a webhook in the token store. */
export async function hasStoredAddress(ctx: Context, id: string): Promise<boolean> {
  const { secrets } = await ctx.auth();
  return (await secrets.read(secretName(id))) !== undefined;
}

/** Stores the address in the token store. A run with UCCTL_TOKEN has no token store and writes a note. */
export async function storeAddress(ctx: Context, { id, uri }: ChatWebhook): Promise<void> {
  const { secrets } = await ctx.auth();
  const isStored = await secrets.write(secretName(id), uri).catch((error: unknown) => {
    ctx.out.warn(
      `could not store the address of webhook ${id}: ${messageOf(error)}; --show-secrets shows an address when you create a webhook`,
    );
    return true;
  });
  if (!isStored)
    ctx.out.note(
      'ucctl does not store the address when UCCTL_TOKEN is set; to see the address, use --show-secrets',
    );
}

/** Deletes the stored address of a webhook that does not exist any more. A failure is a warning. */
export async function deleteAddress(ctx: Context, id: string): Promise<void> {
  const { secrets } = await ctx.auth();
  await secrets.delete(secretName(id)).catch((error: unknown) => {
    ctx.out.warn(`could not delete the address of webhook ${id}: ${messageOf(error)}`);
  });
}
