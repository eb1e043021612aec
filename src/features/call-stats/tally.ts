import type { CallCounts } from './stats.ts';
import type { CallOutcome } from './outcome.ts';

/** The data of one call, which is a session of the log. */
export interface CallSession {
  /** Start of the call in milliseconds since 1970. */
  startTime: number;
  direction: string;
  result: string;
  outcome: CallOutcome;
  /** Seconds from the start to the answer, or to the end of a call that was not answered. */
  waitSeconds: number;
  talkSeconds: number;
  queueId: string | undefined;
}

/** Counts one group of calls. */
export class Tally {
  #calls = 0;
  #inbound = 0;
  #outbound = 0;
  #talk = 0;
  readonly #outcomes: Record<CallOutcome, number> = {
    answered: 0,
    missed: 0,
    abandoned: 0,
    voicemail: 0,
    unanswered: 0,
    other: 0,
  };
  #inTime = 0;
  #gaveUpInTime = 0;
  #offered = 0;

  add(session: CallSession, limitSeconds: number): void {
    this.#calls += 1;
    if (session.direction === 'Inbound') this.#inbound += 1;
    if (session.direction === 'Outbound') this.#outbound += 1;
    this.#outcomes[session.outcome] += 1;
    this.#talk += session.talkSeconds;
    if (session.queueId === undefined) return;
    this.#offered += 1;
    const isInTime = session.waitSeconds <= limitSeconds;
    if (session.outcome === 'answered' && isInTime) this.#inTime += 1;
    if (session.outcome === 'abandoned' && isInTime) this.#gaveUpInTime += 1;
  }

  counts(): CallCounts {
    const { answered } = this.#outcomes;
    return {
      calls: this.#calls,
      inbound: this.#inbound,
      outbound: this.#outbound,
      unknownDirection: this.#calls - this.#inbound - this.#outbound,
      ...this.#outcomes,
      talkSeconds: this.#talk,
      averageTalkSeconds: answered === 0 ? 0 : Math.round(this.#talk / answered),
    };
  }

  serviceLevel(): number | undefined {
    const counted = this.#offered - this.#gaveUpInTime;
    return counted === 0 ? undefined : this.#inTime / counted;
  }
}
