import type { SubscriptionRow } from '../subscriptions/store.ts';
import type { World } from '../world/world.ts';

/**
 * Returns the receiver of a subscription: the address of a webhook, or the user of a WebSocket or hosted channel. Their
 * addresses are secrets.
 */
export function receiverOf(
  world: World,
  { transportType, address, extensionId }: Pick<SubscriptionRow, 'transportType' | 'address' | 'extensionId'>,
): string {
  if (transportType === 'WebHook') return address;
  const user = world.extensions.byId(extensionId);
  const kind = transportType === 'WebSocket' ? 'WebSocket' : 'Hosted channel';
  return `${kind} of ${user?.name ?? 'a deleted user'}${user?.extensionNumber ? ` (${user.extensionNumber})` : ''}`;
}
