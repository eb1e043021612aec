import type { Client } from '../../client/index.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
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
}

/** A person of the list who was not found, or whose presence cannot be changed as requested. */
export interface SkippedPerson extends SkippedRow {
  readonly who: string;
}

export interface PresenceRunDetail extends RunDetail {
  /** Rows that the run skips. Absent in a run of an older version. */
  readonly skipped?: readonly SkippedPerson[];
}

/** The present values of the fields of an update. */
export function sameFields(present: Presence, update: PresenceUpdate): PresenceUpdate {
  return Object.fromEntries(
    Object.keys(update).map((key) => [key, (present as Readonly<Record<string, unknown>>)[key] ?? '']),
  );
}

/** Sends one request for each person. An update changes only the fields it names, so it may be repeated after reading back. */
export function presenceWork(api: Pick<Client, 'presence'>): BulkWork<PresencePayload> {
  return {
    async send(items) {
      let requestId: string | undefined;
      for (const { payload } of items) {
        await api.presence.update(payload.extensionId, payload.update, {
          onReply: (reply) => {
            requestId = reply.requestId;
          },
        });
      }
      return { requestId };
    },
    async observe(items) {
      const present = new Set<number>();
      for (const { seq, payload } of items) {
        if (isInEffect(await api.presence.get(payload.extensionId), payload.update)) present.add(seq);
      }
      return present;
    },
    isRetriedByClient: true,
  };
}

/** Whether a presence has all values of an update. */
export function isInEffect(present: Presence, update: PresenceUpdate): boolean {
  const now = sameFields(present, update);
  return Object.entries(update).every(
    ([key, value]) => (now as Readonly<Record<string, unknown>>)[key] === value,
  );
}

/**
 * Plans the opposite of the changes that are still in effect. `changedSince` has the ids of people whose presence has
 * changed since the run.
 */
export async function invertPresenceRun(
  api: Pick<Client, 'presence'>,
  items: readonly JournalItem<PresencePayload>[],
  signal: AbortSignal,
): Promise<{ readonly payloads: readonly PresencePayload[]; readonly changedSince: readonly string[] }> {
  const payloads: PresencePayload[] = [];
  const changedSince: string[] = [];
  for (const { payload } of items.filter(({ status }) => status === 'ok')) {
    const present = await api.presence.get(payload.extensionId, {}, { signal });
    if (isInEffect(present, payload.update)) {
      payloads.push({ ...payload, update: payload.before, before: payload.update, row: undefined });
    } else changedSince.push(payload.extensionId);
  }
  return { payloads, changedSince };
}

/** The requests of the changes, not sent yet. */
export function presenceSends(
  api: Client,
  payloads: readonly Pick<PresencePayload, 'extensionId' | 'update'>[],
): (() => Promise<unknown>)[] {
  return payloads.map(
    ({ extensionId, update }) =>
      () =>
        api.presence.update(extensionId, update),
  );
}
