import type { SubscriptionRow } from './store.ts';
import type { World } from '../world/world.ts';
import { enqueue } from './enqueue.ts';

const timer = 'subscription.remind';

interface Reminder {
  readonly filter: string;
  /** Time before expiry at which reminders start. */
  readonly thresholdSeconds: number;
  readonly intervalSeconds: number;
}

/** Schedules the first reminder of a subscription with a reminder filter (EVENT-10 to EVENT-12). */
export function scheduleReminder(world: World, row: SubscriptionRow): void {
  const reminder = reminderOf(row);
  if (!reminder) return stopReminder(world, row.id);
  world.timers.set(timer, row.id, row.expiresAt - reminder.thresholdSeconds * 1000);
}

/** Cancels the next reminder, if there is one. */
export function stopReminder(world: World, subscriptionId: string): void {
  world.timers.cancel(timer, subscriptionId);
}

/** Sends a reminder and schedules the next one, unless the subscription expires first. */
export function remind(world: World, subscriptionId: string): void {
  const row = world.subscriptions.byId(subscriptionId);
  const reminder = row && reminderOf(row);
  if (row?.state !== 'active' || !reminder) return;
  const now = world.clock.now();
  const expiresIn = Math.round((row.expiresAt - now) / 1000);
  enqueue(world, { subscriptionId, filter: reminder.filter }, { expiresIn });
  const next = now + reminder.intervalSeconds * 1000;
  if (next < row.expiresAt) world.timers.set(timer, subscriptionId, next);
}

function reminderOf({ eventFilters, disabledFilters }: SubscriptionRow): Reminder | undefined {
  const disabled = new Set(disabledFilters.map(({ filter }) => filter));
  const filter = eventFilters.find(
    (text) => text.startsWith('/restapi/v1.0/subscription/~?') && !disabled.has(text),
  );
  if (filter === undefined) return undefined;
  const query = new URLSearchParams(filter.split('?', 2)[1]);
  return {
    filter,
    thresholdSeconds: Number(query.get('threshold')),
    intervalSeconds: Number(query.get('interval')),
  };
}
