import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { dialects } from '../../contract/dialects.ts';
import type { Context } from '../../runtime/context.ts';
import { isFinalRejection } from '../../errors/service-codes.ts';
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

/**
 * Returns for each agent of a queue whether the agent is signed out of the queue. Empty in a dialect without the
 * availability in single queues, and if it cannot be read.
 */
export function signedOutAgents(
  ctx: Pick<Context, 'settings' | 'signal'>,
  api: Pick<Client, 'callQueues'>,
  queueId: Id,
): Promise<ReadonlyMap<string, boolean>> {
  return readSignedOut(ctx, async () => {
    const members = await api.callQueues.availability(queueId, { signal: ctx.signal });
    return members.map(({ member, acceptCurrentQueueCalls }) => [member.id, acceptCurrentQueueCalls]);
  });
}

/** Returns for each queue of an agent whether the agent is signed out of the queue, as `signedOutAgents`. */
export function signedOutQueues(
  ctx: Pick<Context, 'settings' | 'signal'>,
  api: Pick<Client, 'callQueues'>,
  extensionId: Id,
): Promise<ReadonlyMap<string, boolean>> {
  return readSignedOut(ctx, async () => {
    const queues = await api.callQueues.availabilityOf(extensionId, { signal: ctx.signal });
    return queues.map(({ callQueue, acceptCalls }) => [callQueue.id, acceptCalls]);
  });
}

async function readSignedOut(
  ctx: Pick<Context, 'settings'>,
  read: () => Promise<readonly (readonly [id: string, accepts: boolean | undefined])[]>,
): Promise<ReadonlyMap<string, boolean>> {
  if (!hasAvailability(ctx)) return new Map();
  try {
    const found = await read();
    return new Map(
      found.flatMap(([id, accepts]) => (accepts === undefined ? [] : [[id, !accepts] as const])),
    );
  } catch (error) {
    if (!isFinalRejection(error)) throw error;
    return new Map();
  }
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
