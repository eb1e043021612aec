import type { SubscriptionRow } from './store.ts';
import type { World } from '../world/world.ts';

const timer = 'subscription.reconcile';

/** Records the result of a notification; a webhook that fails for a long time becomes Blacklisted (WEBHOOK-5). */
export function noteDelivery(world: World, row: SubscriptionRow, failure: string | undefined): void {
  if (row.status !== 'Active') return;
  if (failure === undefined) {
    if (row.failingSince !== null) world.subscriptions.saveHealth({ ...row, failingSince: null });
    return;
  }
  const now = world.clock.now();
  const failingSince = row.failingSince ?? now;
  if (now - failingSince < world.settings.webhookFailingSeconds * 1000) {
    if (row.failingSince === null) world.subscriptions.saveHealth({ ...row, failingSince });
    return;
  }
  giveUp(world, { ...row, failingSince }, failure);
}

/** Disables a webhook: deletes its pending notifications, but not the subscription, and schedules a new handshake. */
function giveUp(world: World, row: SubscriptionRow, failure: string): void {
  const status = world.settings.webhookFailureStatus;
  const blacklisted = status === 'Blacklisted';
  world.subscriptions.saveHealth({
    ...row,
    status,
    blacklistedAt: blacklisted ? world.clock.now() : null,
    blacklistReason: blacklisted ? failure : null,
  });
  world.deliveries.drop(row.id);
  scheduleReconciliation(world, row.id);
}

function scheduleReconciliation(world: World, subscriptionId: string): void {
  const seconds = world.settings.webhookReconciliationSeconds;
  if (seconds > 0) world.timers.set(timer, subscriptionId, world.clock.now() + seconds * 1000);
}

/** Cancels the next handshake, if there is one. */
export function stopReconciliation(world: World, subscriptionId: string): void {
  world.timers.cancel(timer, subscriptionId);
}

/** Adds a handshake with a disabled webhook to the outbox, as a row without a payload. */
function reconcile(world: World, subscriptionId: string): void {
  const row = world.subscriptions.byId(subscriptionId);
  if (row?.state !== 'active' || row.status === 'Active') return;
  world.deliveries.add({
    subscriptionId: row.id,
    transport: row.transportType,
    uuid: world.random.uuid(),
    payload: '',
    createdAt: world.clock.now(),
  });
}

/** Records the result of a handshake. */
export function noteHandshake(world: World, row: SubscriptionRow, succeeded: boolean): void {
  if (!succeeded) return scheduleReconciliation(world, row.id);
  world.subscriptions.saveHealth({
    ...row,
    status: 'Active',
    failingSince: null,
    blacklistedAt: null,
    blacklistReason: null,
  });
}

export const webhookTimers = { [timer]: reconcile };
