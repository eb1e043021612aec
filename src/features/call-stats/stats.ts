import type { CallOutcome } from './outcome.ts';

/** Counts of a group of calls. Times are in seconds. */
export interface CallCounts extends Readonly<Record<CallOutcome, number>> {
  readonly calls: number;
  readonly inbound: number;
  readonly outbound: number;
  /** Calls whose records have no direction. */
  readonly unknownDirection: number;
  /** Seconds from the answer to the end of answered calls. */
  readonly talkSeconds: number;
  readonly averageTalkSeconds: number;
}
export interface QueueStats extends CallCounts {
  readonly id: string;
  readonly name: string;
  readonly extensionNumber: string | undefined;
  /**
   * Share of calls answered within the time limit. Callers who hung up before the limit do not count. Undefined
   * without such calls.
   */
  readonly serviceLevel: number | undefined;
}
export interface AgentStats {
  readonly id: string;
  readonly name: string;
  readonly extensionNumber: string | undefined;
  readonly inbound: number;
  readonly outbound: number;
  readonly unknownDirection: number;
  readonly answered: number;
  /** Number of times the phone rang for a queue and was not answered; several for a call that rang it repeatedly. */
  readonly missedRings: number;
  readonly talkSeconds: number;
}
/** Returns the number of calls of an agent, without missed rings. */
export function callsOf({
  inbound,
  outbound,
  unknownDirection,
}: Pick<AgentStats, 'inbound' | 'outbound' | 'unknownDirection'>): number {
  return inbound + outbound + unknownDirection;
}
/** Name and extension number, because several agents can have the same name. */
export function labelOf({ name, extensionNumber }: Pick<AgentStats, 'name' | 'extensionNumber'>): string {
  return extensionNumber === undefined || extensionNumber === name ? name : `${name} (${extensionNumber})`;
}

/** Statistics of a time range of the call log. */
export interface CallStats {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly zone: string;
  readonly serviceLevelSeconds: number;
  readonly totals: CallCounts & { readonly serviceLevel: number | undefined };
  /** Counts for the 24 hours of the day, by the hour in which calls started. */
  readonly byHour: readonly (CallCounts & { readonly hour: number })[];
  /** Counts for every day from the first to the last day with a call. */
  readonly byDay: readonly (CallCounts & { readonly day: string })[];
  /** Number of calls by weekday, Monday first, and by hour. */
  readonly byWeekdayAndHour: readonly (readonly number[])[];
  readonly byQueue: readonly QueueStats[];
  readonly byAgent: readonly AgentStats[];
  readonly byResult: readonly { readonly result: string; readonly calls: number }[];
}
