import type { Outcome } from '../../features/outcome-journal/index.ts';
import type { View } from '../../runtime/output.ts';

/** An outcome as scripts see it: times are ISO 8601, UTC. */
export interface OutcomeRecord {
  readonly id: number;
  readonly kind: string;
  readonly state: string;
  readonly to: string;
  readonly extension: string;
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  /** Id of the message or call at the service. */
  readonly serviceId: string | undefined;
  readonly dedupeKey: string | undefined;
  readonly digest: string;
  /** Why it could not be settled. */
  readonly why?: string | undefined;
}

/** An outcome of the journal, for people and programs. */
export function toRecord(outcome: Outcome): OutcomeRecord {
  const { id, kind, state, to, extension, startedAt, endedAt, serviceId, dedupeKey, digest } = outcome;
  return {
    id,
    kind,
    state,
    to,
    extension,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === undefined ? undefined : new Date(endedAt).toISOString(),
    serviceId,
    dedupeKey,
    digest,
  };
}

export const outcomeView: View<OutcomeRecord> = {
  columns: [
    { key: 'id', title: 'Id', kind: 'id', value: (row) => row.id, priority: 9 },
    { key: 'kind', title: 'Kind', value: (row) => row.kind, priority: 8 },
    { key: 'state', title: 'State', kind: 'status', value: (row) => row.state, priority: 9 },
    { key: 'to', title: 'To', value: (row) => row.to, priority: 7 },
    { key: 'startedAt', title: 'Started', kind: 'time', value: (row) => row.startedAt, priority: 6 },
    { key: 'serviceId', title: 'Service id', kind: 'id', value: (row) => row.serviceId, priority: 5 },
    { key: 'why', title: 'Remark', value: (row) => row.why, priority: 4 },
  ],
  empty: 'Nothing was sent from here.',
};
