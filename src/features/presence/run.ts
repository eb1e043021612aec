import type { Client } from '../../client/index.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import type { BulkWork, JournalItem, RefusedRow, RunDetail } from '../bulk/index.ts';

/** The kind of run that changes presences. */
export const presenceKind = 'presence.set';

/** What the journal holds of one changed presence. */
export interface PresencePayload {
  readonly extensionId: string;
  readonly update: PresenceUpdate;
  /** The same fields as they were observed before. */
  readonly before: PresenceUpdate;
  readonly row: number | undefined;
}

/** Someone in the list who was not found, or whose presence cannot be changed so. */
export interface RefusedPerson extends RefusedRow {
  readonly who: string;
}

export interface PresenceDetail extends RunDetail {
  /** Rows that nothing is sent for. Absent in a run of an older version. */
  readonly refused?: readonly RefusedPerson[];
}

/** The fields of an update as a presence has them. */
export function sameFields(present: Presence, update: PresenceUpdate): PresenceUpdate {
  return Object.fromEntries(
    Object.keys(update).map((key) => [key, (present as Readonly<Record<string, unknown>>)[key] ?? '']),
  );
}

/** One request for each person: an update changes only what it names, so it may be repeated after reading back. */
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
      const held = new Set<number>();
      for (const { seq, payload } of items) {
        if (holds(await api.presence.get(payload.extensionId), payload.update)) held.add(seq);
      }
      return held;
    },
    isRepeatedByClient: true,
  };
}

/** Whether a presence is as an update asks for. */
export function holds(present: Presence, update: PresenceUpdate): boolean {
  const now = sameFields(present, update);
  return Object.entries(update).every(
    ([key, value]) => (now as Readonly<Record<string, unknown>>)[key] === value,
  );
}

/** The opposite of what a run did and what of it still stands; `moved` are ids of people whose presence has changed since. */
export async function invertPresenceRun(
  api: Pick<Client, 'presence'>,
  items: readonly JournalItem<PresencePayload>[],
  signal: AbortSignal,
): Promise<{ readonly payloads: readonly PresencePayload[]; readonly moved: readonly string[] }> {
  const payloads: PresencePayload[] = [];
  const moved: string[] = [];
  for (const { payload } of items.filter(({ status }) => status === 'ok')) {
    const present = await api.presence.get(payload.extensionId, {}, { signal });
    if (holds(present, payload.update)) {
      payloads.push({ ...payload, update: payload.before, before: payload.update, row: undefined });
    } else moved.push(payload.extensionId);
  }
  return { payloads, moved };
}

/** The request of each change, not sent yet. */
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
