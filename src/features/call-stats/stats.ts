import type { CallOutcome } from './outcome.ts';

/** Counts of a group of calls. Times are seconds. */
export interface CallCounts extends Readonly<Record<CallOutcome, number>> {
  readonly calls: number;
  readonly inbound: number;
  readonly outbound: number;
  /** From the answer to the end, of answered calls. */
  readonly talkSeconds: number;
  readonly averageTalkSeconds: number;
}
export interface QueueStats extends CallCounts {
  readonly id: string;
  readonly name: string;
  /** Share answered within the limit, of all but those that gave up sooner; undefined without any. */
  readonly serviceLevel: number | undefined;
}
export interface AgentStats {
  readonly id: string;
  readonly name: string;
  readonly inbound: number;
  readonly outbound: number;
  readonly answered: number;
  /** Times the telephone rang for a queue and was not answered. */
  readonly missedRings: number;
  readonly talkSeconds: number;
}
/** Statistics of a stretch of the call log. */
export interface CallStats {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly zone: string;
  readonly serviceLevelSeconds: number;
  readonly totals: CallCounts & { readonly serviceLevel: number | undefined };
  /** 24, by the hour in which calls began. */
  readonly byHour: readonly (CallCounts & { readonly hour: number })[];
  /** From the first day with a call to the last, without a hole. */
  readonly byDay: readonly (CallCounts & { readonly day: string })[];
  /** Calls by weekday, Monday first, and hour. */
  readonly byWeekdayAndHour: readonly (readonly number[])[];
  readonly byQueue: readonly QueueStats[];
  readonly byAgent: readonly AgentStats[];
  readonly byResult: readonly { readonly result: string; readonly calls: number }[];
}
