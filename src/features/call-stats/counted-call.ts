import type { CallLogRecord, CallParty } from '../../contract/call-log.ts';
import { isoWithOffset, zoneOffset } from '../../platform/moment.ts';
import type { CallOutcome } from './outcome.ts';
import type { CallSession } from './tally.ts';

/** A call that the statistics count, with the groups in which it is counted. */
export interface CountedCall {
  readonly sessionId: string;
  /** Start in ISO 8601 format; absent for a call without a time. */
  readonly start: string | undefined;
  /** Day and hour of the start in the time zone of the statistics. */
  readonly day: string | undefined;
  readonly hour: number | undefined;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  readonly outcome: CallOutcome;
  readonly result: string;
  readonly waitSeconds: number;
  readonly talkSeconds: number;
  /** ID of the queue whose record determines the result. */
  readonly queue: string | undefined;
  /** IDs of the agents whose records belong to the call. */
  readonly agents: readonly string[];
}

/** The parts of an open call that only its description needs. */
interface OpenCall {
  from: string;
  to: string;
  readonly agents: Set<string>;
}

/** Collects the descriptions of open calls. */
export class CallDescriptions {
  readonly #open = new Map<string, OpenCall>();
  readonly #zone: string;

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Adds a record. If `isBest`, the record determines both parties of the call. */
  add(key: string, record: Partial<CallLogRecord>, agent: string | undefined, isBest: boolean): void {
    const known = this.#open.get(key) ?? { from: '', to: '', agents: new Set<string>() };
    if (isBest) {
      known.from = partyOf(record.from);
      known.to = partyOf(record.to);
    }
    if (agent !== undefined) known.agents.add(agent);
    this.#open.set(key, known);
  }

  /** Removes and returns the description of a complete call. */
  take(key: string, { startTime, queueId, ...session }: CallSession): CountedCall {
    const { from = '', to = '', agents = [] } = this.#open.get(key) ?? {};
    this.#open.delete(key);
    const isTimed = !Number.isNaN(startTime);
    const local = isTimed ? new Date(startTime + zoneOffset(startTime, this.#zone)) : undefined;
    return {
      sessionId: key,
      start: isTimed ? isoWithOffset(startTime, this.#zone) : undefined,
      day: local?.toISOString().slice(0, 10),
      hour: local?.getUTCHours(),
      from,
      to,
      ...session,
      queue: queueId,
      // Sorted, because the log does not order records of the same time.
      agents: [...agents].sort(),
    };
  }
}

function partyOf(party: Partial<CallParty> | undefined): string {
  return party?.phoneNumber ?? party?.extensionNumber ?? party?.name ?? 'unknown';
}
