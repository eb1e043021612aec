import type { Subscription } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';

const keyNames = ['encryptionKey', 'subscriberKey', 'secretKey'] as const;
const mask = '********';

/** The copy with its keys hidden, unless they are asked for. */
export function masked(subscription: Subscription, showSecrets: boolean | undefined): Subscription {
  if (showSecrets) return subscription;
  const hidden = Object.fromEntries(
    keyNames.filter((name) => subscription.deliveryMode[name] !== undefined).map((name) => [name, mask]),
  );
  return { ...subscription, deliveryMode: { ...subscription.deliveryMode, ...hidden } };
}

/** Puts the keys of the service's newest copy into the token store; one without keys has none there. */
export async function keepKeys(ctx: Context, subscription: Subscription): Promise<void> {
  const keys = Object.fromEntries(
    keyNames
      .map((name) => [name, subscription.deliveryMode[name]])
      .filter(([, value]) => value !== undefined),
  ) as Readonly<Record<string, string>>;
  const { secrets } = await ctx.auth();
  try {
    const name = itemOf(subscription.id);
    if (Object.keys(keys).length > 0) await secrets.write(name, JSON.stringify(keys));
  } catch (error) {
    ctx.out.warn(`the keys of subscription ${subscription.id} could not be kept: ${String(error)}`);
  }
}

/** Forgets the keys of a subscription that is no more. */
export async function forgetKeys(ctx: Context, id: string): Promise<void> {
  const { secrets } = await ctx.auth();
  await secrets.delete(itemOf(id)).catch(() => false);
}

function itemOf(id: string): string {
  return `subscription:${id}`;
}
