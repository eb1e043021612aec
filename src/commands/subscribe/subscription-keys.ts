import type { Subscription } from '../../contract/subscription.ts';
import { keysItem } from '../../features/live/index.ts';
import { messageOf } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';

const keyNames = ['encryptionKey', 'subscriberKey', 'secretKey'] as const;
const mask = '********';

/** Returns the subscription with masked keys, unless `showSecrets`. */
export function masked(subscription: Subscription, showSecrets: boolean | undefined): Subscription {
  if (showSecrets) return subscription;
  const hidden = Object.fromEntries(
    keyNames.filter((name) => subscription.deliveryMode[name] !== undefined).map((name) => [name, mask]),
  );
  return { ...subscription, deliveryMode: { ...subscription.deliveryMode, ...hidden } };
}

/** Stores the keys of a subscription, if it has any, in the token store. A failure is a warning. */
export async function storeKeys(ctx: Context, subscription: Subscription): Promise<void> {
  const keys = Object.fromEntries(
    keyNames
      .map((name) => [name, subscription.deliveryMode[name]])
      .filter(([, value]) => value !== undefined),
  ) as Readonly<Record<string, string>>;
  const { secrets } = await ctx.auth();
  try {
    const name = keysItem(subscription.id);
    if (Object.keys(keys).length > 0) await secrets.write(name, JSON.stringify(keys));
  } catch (error) {
    ctx.out.warn(`could not store the keys of subscription ${subscription.id}: ${messageOf(error)}`);
  }
}

/** Deletes the stored keys of a subscription that does not exist any more. A failure is a warning. */
export async function deleteKeys(ctx: Context, id: string): Promise<void> {
  const { secrets } = await ctx.auth();
  await secrets.delete(keysItem(id)).catch((error: unknown) => {
    ctx.out.warn(`could not delete the keys of subscription ${id}: ${messageOf(error)}`);
  });
}
