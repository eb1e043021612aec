import type { Subscription } from '../../../contract/subscription.ts';
import { type Hint, nextStep, ucctl } from '../../../errors/hint.ts';
import { eventSubject } from '../notification/notification.rows.ts';

/**
 * Returns a warning for each existing subscription that sends events of a new webhook subscription to the same address.
 * The filters of all subscriptions come from the service, so that the same filter has the same text.
 */
export function duplicateWarnings(existing: readonly Subscription[], created: Subscription): readonly Hint[] {
  const { address, transportType } = created.deliveryMode;
  const isDuplicate = ({ status, deliveryMode }: Subscription): boolean =>
    status !== 'Blacklisted' && transportType === 'WebHook' && deliveryMode.address === address;
  return existing.filter(isDuplicate).flatMap(({ id, eventFilters }) => {
    const shared = eventFilters.filter((filter) => created.eventFilters.includes(filter));
    if (shared.length === 0) return [];
    const names = [...new Set(shared.map((filter) => eventSubject(filter).name))].join(', ');
    const step =
      shared.length === eventFilters.length
        ? nextStep`to delete it: ${ucctl`subscribe delete ${id}`}`
        : nextStep`to see its other events: ${ucctl`subscribe show ${id}`}`;
    return [
      nextStep`subscription ${id} also sends ${names} to this address, so each of these events arrives twice; ${step}`,
    ];
  });
}
