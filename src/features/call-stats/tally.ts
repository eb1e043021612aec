import type { CallCounts } from './stats.ts';
import type { CallOutcome } from './outcome.ts';

/** What is kept of one call: a session, whoever took part in it. */
export interface Session {
  /** Milliseconds since 1970. */
  startTime: number;
  direction: string;
  result: string;
  outcome: CallOutcome;
  /** From the start to the answer, or to the end of what was not answered. */
  waitSeconds: number;
  talkSeconds: number;
  queueId: string | undefined;
}

/** Counts one group of calls. */
export class Tally {
  #calls = 0;
  #inbound = 0;
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

  add(session: Session, limitSeconds: number): void {
    this.#calls += 1;
    if (session.direction === 'Inbound') this.#inbound += 1;
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
      outbound: this.#calls - this.#inbound,
      ...this.#outcomes,
      talkSeconds: this.#talk,
      averageTalkSeconds: answered === 0 ? 0 : Math.round(this.#talk / answered),
    };
  }

  serviceLevel(): number | undefined {
    const judged = this.#offered - this.#gaveUpInTime;
    return judged === 0 ? undefined : this.#inTime / judged;
  }
}
