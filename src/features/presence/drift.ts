import type { Client } from '../../client/index.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { shownValue } from '../../platform/shown-value.ts';
import { switchedQueues } from './availability.ts';
import { sameFields, type PresencePayload } from './run.ts';

/**
 * Reads the presence of a planned change again. Returns a text for each value that somebody has changed since.
 * @param expected `either` for a change that an interrupted run may have made
 */
export async function presenceDrift(
  api: Pick<Client, 'presence' | 'callQueues'>,
  { extensionId, update, before, queues = [] }: PresencePayload,
  expected: 'before' | 'either',
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const present = await api.presence.get(extensionId, {}, { signal });
    const now: Values = { ...sameFields(present, update) };
    const old: Values = { ...before };
    const fields = Object.entries(update)
      .filter(([name, value]) => now[name] !== old[name] && (expected === 'before' || now[name] !== value))
      .map(([name]) => `${name} was ${shownValue(old[name])} and is now ${shownValue(now[name])}`);
    if (queues.length === 0 || expected === 'either') return fields;
    const switched = await switchedQueues(api, extensionId, queues, signal);
    const calls = switched.map(({ id, accepts }) => `calls of queue ${id} are now ${accepts ? 'on' : 'off'}`);
    return [...fields, ...calls];
  } catch (error) {
    if (isMissingResource(error)) return ['no longer exists'];
    throw error;
  }
}

type Values = Readonly<Record<string, unknown>>;
