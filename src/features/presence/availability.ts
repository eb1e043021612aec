import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { dialects } from '../../contract/dialects.ts';
import type { Context } from '../../runtime/context.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { confirmedChange } from '../../runtime/confirmed-change.ts';

/** ID of the feature that an account has if dndStatus does not control queue calls (CURRENT-9). */
const newCallHandling = 'NewCallHandlingAndForwarding';

/** Note for the user about the way in which queue calls are turned on and off on such an account. */
export const newCallHandlingNote =
  'The account has new call handling: queue calls depend on the availability in each queue, not on dndStatus.';

/** Whether an agent accepts the calls of one queue. */
export interface QueueSwitch {
  readonly id: string;
  readonly accepts: boolean;
}

/**
 * Whether the availability in each queue, instead of dndStatus, turns queue calls on and off. Requests the feature of the
 * account only in dialect `current`, and changes nothing.
 */
export async function hasNewCallHandling(
  ctx: Pick<Context, 'settings' | 'signal'>,
  api: Pick<Client, 'extensions'>,
): Promise<boolean> {
  if (!hasAvailability(ctx)) return false;
  const features = await api.extensions.features('~', [newCallHandling], { signal: ctx.signal });
  return features.some(({ id, available }) => id === newCallHandling && available);
}

/** Whether the dialect has the availability of agents in single queues. */
export function hasAvailability({ settings }: Pick<Context, 'settings'>): boolean {
  return dialects[settings.dialect.value].queues === 'call-queues';
}

/** Returns the queues of a person whose availability differs from the requested availability. */
export async function availabilityChanges(
  api: Pick<Client, 'callQueues'>,
  extensionId: Id,
  queueCalls: 'on' | 'off',
  signal: AbortSignal,
): Promise<{ readonly queues: readonly QueueSwitch[]; readonly total: number }> {
  const present = await api.callQueues.availabilityOf(extensionId, { signal });
  const accepts = queueCalls === 'on';
  const queues = present
    .filter(({ acceptCalls }) => acceptCalls !== accepts)
    .map(({ callQueue }) => ({ id: callQueue.id, accepts }));
  return { queues, total: present.length };
}

/** Returns the queues whose availability is as requested. */
export async function switchedQueues(
  api: Pick<Client, 'callQueues'>,
  extensionId: Id,
  queues: readonly QueueSwitch[],
  signal?: AbortSignal,
): Promise<readonly QueueSwitch[]> {
  const present = await api.callQueues.availabilityOf(extensionId, { signal });
  const now = new Map(present.map(({ callQueue, acceptCalls }) => [callQueue.id, acceptCalls]));
  return queues.filter(({ id, accepts }) => now.get(id) === accepts);
}

/** Whether the availability in all of these queues is as requested. */
export async function areSwitched(
  api: Pick<Client, 'callQueues'>,
  extensionId: Id,
  queues: readonly QueueSwitch[],
  signal?: AbortSignal,
): Promise<boolean> {
  const switched = await switchedQueues(api, extensionId, queues, signal);
  return switched.length === queues.length;
}

/**
 * Changes the availability of a person in queues and verifies the change by reading it back.
 * @throws {CommandError} `not_in_effect` or `outcome_unknown`; see `confirmedChange`.
 */
export async function setQueuesConfirmed(
  api: Pick<Client, 'callQueues'>,
  extensionId: Id,
  queues: readonly QueueSwitch[],
  signal: AbortSignal,
): Promise<void> {
  await confirmedChange({
    change: () => api.callQueues.setAvailabilityOf(extensionId, queues, { signal }),
    read: () => areSwitched(api, extensionId, queues, signal),
    isMade: Boolean,
    hint: nextStep`to show the availability: ${ucctl`agent availability ${extensionId}`}`,
  });
}
