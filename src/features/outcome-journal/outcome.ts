import type { CallDescription, OutcomeKind } from './describe-call.ts';

export type OutcomeState = 'sending' | 'sent' | 'failed' | 'unknown' | 'not-sent';

/** A request that must not be sent twice. Times are milliseconds since 1970. */
export interface Outcome extends CallDescription {
  readonly id: number;
  readonly state: OutcomeState;
  readonly profile: string;
  readonly origin: string;
  /** The sender, such as `extension 400131042008`; undefined if unknown. */
  readonly owner: string | undefined;
  /** Time at which the request was recorded, or renewed after a wait. */
  readonly startedAt: number;
  /** Time at which the end of the request was recorded. */
  readonly endedAt: number | undefined;
  /** ID of the message or call on the service, from the reply or from a search. */
  readonly serviceId: string | undefined;
  readonly dedupeKey: string | undefined;
}

/** The columns that the journal of this machine and the journal of a store have in common. */
export interface OutcomeRow {
  readonly id: number;
  readonly kind: OutcomeKind;
  readonly state: OutcomeState;
  readonly profile: string;
  readonly origin: string;
  readonly owner: string | null;
  readonly extension: string;
  readonly digest: string;
  readonly receivers: string;
  readonly service_id: string | null;
  readonly dedupe_key: string | null;
  readonly pid: number;
}

/** What the columns of a journal say about the time of a request, by the clock of this machine. */
interface OutcomeTimes {
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Whether the process ended while the row was in the state `sending`, so that the outcome is unknown. */
  readonly isLost: boolean;
}

/** Returns the outcome of a row. */
export function outcomeOf(row: OutcomeRow, { startedAt, endedAt, isLost }: OutcomeTimes): Outcome {
  return {
    id: row.id,
    kind: row.kind,
    state: isLost ? 'unknown' : row.state,
    profile: row.profile,
    origin: row.origin,
    owner: row.owner ?? undefined,
    extension: row.extension,
    digest: row.digest,
    to: row.receivers,
    startedAt,
    endedAt: endedAt ?? undefined,
    serviceId: row.service_id ?? undefined,
    dedupeKey: row.dedupe_key ?? undefined,
  };
}
