import type { Client, RequestOptions } from '../../client/index.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { areSwitched, switchedQueues, type QueueSwitch } from './availability.ts';
import { presentValues } from './update.ts';
import type { BulkWork, JournalItem, SkippedRow, RunDetail } from '../bulk/index.ts';

/** The kind of run that changes presences. */
export const presenceKind = 'presence.set';

/** One change of a presence, as stored in the journal. */
export interface PresencePayload {
  readonly extensionId: string;
  readonly update: PresenceUpdate;
  /** The values of the same fields before the change. */
  readonly before: PresenceUpdate;
  readonly row: number | undefined;
  /**
   * Queues whose calls are turned on or off, on accounts with new call handling. Before the change, each queue has the
   * opposite value.
   */
  readonly queues?: readonly QueueSwitch[];
}

/** A person of the list who was not found, or whose presence cannot be changed as requested. */
export interface SkippedPerson extends SkippedRow {
  readonly who: string;
}

export interface PresenceRunDetail extends RunDetail {
  /** Rows that the run skips. Absent in a run of an older version. */
  readonly skipped?: readonly SkippedPerson[];
}

/** Returns the current values of the fields of an update, without fields that the reply omits and that have no default. */
export function sameFields(present: Presence, update: PresenceUpdate): PresenceUpdate {
  const values = presentValues(present);
  const known = Object.keys(update).filter((key) => values[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, values[key]]));
}

/**
 * Sends one request for each person. An update changes only the fields it names, so it may be repeated after reading
 * back.
 */
export function presenceWork(api: Pick<Client, 'presence' | 'callQueues'>): BulkWork<PresencePayload> {
  return {
    async send(items) {
      let requestId: string | undefined;
      for (const { payload } of items) {
        const onReply = (reply: { readonly requestId?: string | undefined }): void => {
          requestId = reply.requestId;
        };
        for (const send of sendsOf(api, payload, { onReply })) await send();
      }
      return { requestId };
    },
    async observe(items) {
      const present = new Set<number>();
      for (const { seq, payload } of items) {
        if (await isMade(api, payload)) present.add(seq);
      }
      return present;
    },
    isRetriedByClient: true,
  };
}

/** Whether all parts of a change are in effect. */
async function isMade(
  api: Pick<Client, 'presence' | 'callQueues'>,
  { extensionId, update, queues = [] }: Pick<PresencePayload, 'extensionId' | 'update' | 'queues'>,
): Promise<boolean> {
  const hasFields = Object.keys(update).length > 0;
  if (hasFields && !isInEffect(await api.presence.get(extensionId), update)) return false;
  return queues.length === 0 || areSwitched(api, extensionId, queues);
}

/** Whether a presence already has all values of an update. */
export function isInEffect(present: Presence, update: PresenceUpdate): boolean {
  const now = sameFields(present, update);
  return Object.entries(update).every(
    ([key, value]) => (now as Readonly<Record<string, unknown>>)[key] === value,
  );
}

/**
 * Plans the opposite of the changes that are still in effect, field by field. `changedSince` contains the IDs of people
 * whose presence has changed since the run.
 */
export async function invertPresenceRun(
  api: Pick<Client, 'presence' | 'callQueues'>,
  items: readonly JournalItem<PresencePayload>[],
  signal: AbortSignal,
): Promise<{ readonly payloads: readonly PresencePayload[]; readonly changedSince: readonly string[] }> {
  const payloads: PresencePayload[] = [];
  const changedSince: string[] = [];
  for (const { payload, status } of items.filter(mayBeMade)) {
    const made = await partsInEffect(api, payload, signal);
    if (status === 'ok' && !made.isWhole) changedSince.push(payload.extensionId);
    payloads.push(...inverseOf(payload, made));
  }
  return { payloads, changedSince };
}

/**
 * Whether an item may have changed something. A failed item of two requests may have failed at the second request, and
 * the outcome of an item may be unknown.
 */
function mayBeMade({ status, payload: { update, queues = [] } }: JournalItem<PresencePayload>): boolean {
  if (status === 'failed') return queues.length > 0 && Object.keys(update).length > 0;
  return status === 'ok' || status === 'unknown';
}

/** The parts of a change that are in effect. */
interface PartsInEffect {
  readonly fields: readonly string[];
  readonly queues: readonly QueueSwitch[];
  readonly isWhole: boolean;
}

/** Returns the parts of a change that are in effect; none if the person no longer exists. */
async function partsInEffect(
  api: Pick<Client, 'presence' | 'callQueues'>,
  { extensionId, update, queues = [] }: PresencePayload,
  signal: AbortSignal,
): Promise<PartsInEffect> {
  const wanted = Object.keys(update) as (keyof PresenceUpdate)[];
  try {
    const present = wanted.length > 0 ? await api.presence.get(extensionId) : undefined;
    const now = present ? sameFields(present, update) : {};
    const fields = wanted.filter((name) => now[name] === update[name]);
    const switched = queues.length > 0 ? await switchedQueues(api, extensionId, queues, signal) : [];
    const isWhole = fields.length === wanted.length && switched.length === queues.length;
    return { fields, queues: switched, isWhole };
  } catch (error) {
    if (!isMissingResource(error)) throw error;
    return { fields: [], queues: [], isWhole: false };
  }
}

/** Returns the opposite of the parts of a change. Fields without an earlier value cannot be restored. */
function inverseOf(payload: PresencePayload, { fields, queues }: PartsInEffect): readonly PresencePayload[] {
  const known = new Set(fields.filter((name) => name in payload.before));
  const pick = (values: PresenceUpdate): PresenceUpdate =>
    Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
  if (known.size === 0 && queues.length === 0) return [];
  const { queues: _, ...rest } = payload;
  const inverse = { ...rest, update: pick(payload.before), before: pick(payload.update), row: undefined };
  const back = queues.map(({ id, accepts }) => ({ id, accepts: !accepts }));
  return [back.length > 0 ? { ...inverse, queues: back } : inverse];
}

/** Returns the requests of the changes, not sent yet. */
export function presenceSends(
  api: Client,
  payloads: readonly Pick<PresencePayload, 'extensionId' | 'update' | 'queues'>[],
): (() => Promise<unknown>)[] {
  return payloads.flatMap((payload) => sendsOf(api, payload));
}

/** Returns the requests of one change: one for the fields of the presence, one for the availability in queues. */
function sendsOf(
  api: Pick<Client, 'presence' | 'callQueues'>,
  { extensionId, update, queues = [] }: Pick<PresencePayload, 'extensionId' | 'update' | 'queues'>,
  options?: RequestOptions,
): (() => Promise<unknown>)[] {
  const fields = (): Promise<unknown> => api.presence.update(extensionId, update, options);
  const switches = (): Promise<unknown> => api.callQueues.setAvailabilityOf(extensionId, queues, options);
  return [
    ...(Object.keys(update).length > 0 || queues.length === 0 ? [fields] : []),
    ...(queues.length > 0 ? [switches] : []),
  ];
}
