import { dayMilliseconds } from '../../platform/day.ts';
import type { CallLogRecord } from '../../contract/call-log.ts';
import { isoWithOffset, zoneOffset } from '../../platform/moment.ts';
import { AgentTally, agentPartsOf, type AgentPart } from './agent-tally.ts';
import { isIn, type Period } from './call-period.ts';
import { CallQueues } from './call-queues.ts';
import { CallDescriptions, type CountedCall } from './counted-call.ts';
import { isBetter, ownerOf, rankOf, withOwner, type RankedRecord } from './one-call.ts';
import { outcomeOf } from './outcome.ts';
import type { CallStats, QueueStats } from './stats.ts';
import { Tally, type CallSession } from './tally.ts';

export interface StatsOptions {
  readonly zone: string;
  /** Time limit within which an answered queue call counts for the service level. */
  readonly serviceLevelSeconds: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The time range in which the counted calls started; by default, all calls are counted. */
  readonly period?: Period | undefined;
  /** Returns the name of a queue; undefined if the extension is not a queue. */
  queueName(extensionId: string): string | undefined;
  /** Returns the name of an extension, if known. */
  nameOf(extensionId: string): string | undefined;
  /** Returns the number of an extension, if known. */
  numberOf(extensionId: string): string | undefined;
  /** Returns the ID of the extension with a number, if known. */
  idOf?: ((extensionNumber: string) => string | undefined) | undefined;
  /** Called with each counted call, when its records are complete; not in the order of the calls. */
  readonly onCall?: ((call: CountedCall) => void) | undefined;
}

/** A call that may have further records. */
interface OpenCall {
  /** The data of the record that determines the result. */
  session: CallSession;
  rank: RankedRecord;
  /** Extension that the record belongs to, if it was deleted. */
  deletedOwner: string | undefined;
  /** Start of the first record in milliseconds since 1970. */
  firstTime: number;
  readonly agents: AgentPart[];
}

/** A call whose records are complete. */
interface ClosedCall {
  readonly session: CallSession;
  readonly agents: readonly AgentPart[];
  readonly described: CountedCall | undefined;
}

/** An unanswered call of a deleted extension, which may be a queue whose agents' phones did not ring. */
interface UndecidedCall extends ClosedCall {
  readonly deletedOwner: string;
}

/** Maximum time in milliseconds between the records of one call in an ordered log. */
const openMilliseconds = dayMilliseconds;
const closeEveryMilliseconds = 3_600_000;

/**
 * Counts calls from records of the Detailed view, which must be in ascending or descending order of time. Stores one
 * day of calls and the unanswered calls of deleted extensions in memory, regardless of the length of the log. A call is a session. Its direction, result and times
 * come from the queue's record, or from the record that started first (`isBetter`). The wait ends at the start of the answered leg,
 * because the log has no exact answer time.
 */
export class StatsCollector {
  readonly #options: StatsOptions;
  /** Calls that may have further records, in the order of the log. */
  readonly #open = new Map<string, OpenCall>();
  readonly #undecided: UndecidedCall[] = [];
  readonly #callQueues: CallQueues;
  readonly #agents: AgentTally;
  readonly #total = new Tally();
  readonly #hours = Array.from({ length: 24 }, () => new Tally());
  readonly #days = new Map<string, Tally>();
  readonly #heat = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  readonly #queues = new Map<string, Tally>();
  readonly #results = new Map<string, number>();
  readonly #descriptions: CallDescriptions | undefined;
  #closedAt = 0;

  constructor(options: StatsOptions) {
    this.#options = options;
    this.#callQueues = new CallQueues(options);
    this.#agents = new AgentTally(options);
    this.#descriptions = options.onCall && new CallDescriptions(options.zone);
  }

  add(given: Partial<CallLogRecord>): void {
    const { idOf } = this.#options;
    const record = idOf ? withOwner(given, idOf) : given;
    const session = this.#sessionOf(record);
    const key = record.sessionId ?? record.id ?? '';
    const known = this.#open.get(key);
    const rank = rankOf(record, session.queueId !== undefined);
    const isBest = !known || isBetter(rank, known.rank);
    const deletedOwner = this.#callQueues.deletedOwnerOf(record);
    const call = known ?? { session, rank, deletedOwner, firstTime: session.startTime, agents: [] };
    if (isBest) Object.assign(call, { session, rank, deletedOwner });
    if (session.startTime < call.firstTime) call.firstTime = session.startTime;
    call.agents.push(...agentPartsOf(record, session));
    this.#open.set(key, call);
    const agent = session.queueId === undefined ? ownerOf(record) : undefined;
    this.#descriptions?.add(key, record, agent, isBest);
    // A record without a time does not show how far the log has been read.
    if (Number.isNaN(session.startTime)) return;
    // Calls are not closed after every record, because after many deletions a Map finds its first entry
    // slowly.
    if (Math.abs(session.startTime - this.#closedAt) < closeEveryMilliseconds) return;
    this.#closedAt = session.startTime;
    this.#close(session.startTime);
  }

  /** Number of calls in memory that may have further records. */
  get openCalls(): number {
    return this.#open.size;
  }

  /** Counts and removes the calls that are more than a day away from this time, or all calls if there is no time. */
  #close(time?: number): void {
    const { period } = this.#options;
    for (const [id, { session, deletedOwner, firstTime, agents }] of this.#open) {
      if (time !== undefined && Math.abs(session.startTime - time) <= openMilliseconds) return;
      this.#open.delete(id);
      const described = this.#descriptions?.take(id, session);
      if (period && !isIn(period, firstTime)) continue;
      const call = { session, agents, described };
      const isDecided = session.queueId !== undefined || session.outcome === 'answered';
      if (isDecided || deletedOwner === undefined) this.#countClosed(call);
      else this.#undecided.push({ ...call, deletedOwner });
    }
  }

  #countClosed({ session, agents, described }: ClosedCall): void {
    this.#count(session);
    this.#agents.add(agents);
    if (described) this.#options.onCall?.(described);
  }

  /** Counts the undecided calls, after all records were read. */
  #decide(): void {
    for (const { deletedOwner, session, agents, described } of this.#undecided) {
      const queueId = this.#callQueues.isDeleted(deletedOwner) ? deletedOwner : undefined;
      this.#countClosed({
        session: { ...session, queueId },
        agents,
        described: described && {
          ...described,
          queue: queueId,
          agents: described.agents.filter((id) => id !== queueId),
        },
      });
    }
  }

  #count(session: CallSession): void {
    const { serviceLevelSeconds } = this.#options;
    const groups = [this.#total, ...this.#timesOf(session.startTime)];
    if (session.queueId !== undefined) groups.push(tallyOf(this.#queues, session.queueId));
    for (const group of groups) group?.add(session, serviceLevelSeconds);
    this.#results.set(session.result, (this.#results.get(session.result) ?? 0) + 1);
  }

  /** Returns the tallies of the hour and the day; empty for a call without a time. */
  #timesOf(startTime: number): readonly (Tally | undefined)[] {
    if (Number.isNaN(startTime)) return [];
    const local = new Date(startTime + zoneOffset(startTime, this.#options.zone));
    const hour = local.getUTCHours();
    const row = this.#heat[(local.getUTCDay() + 6) % 7];
    if (row) row[hour] = (row[hour] ?? 0) + 1;
    return [this.#hours[hour], tallyOf(this.#days, local.toISOString().slice(0, 10))];
  }

  stats(): CallStats {
    const { zone, serviceLevelSeconds, from, to } = this.#options;
    this.#close();
    this.#decide();
    const days = this.#days;
    return {
      from: from === undefined ? undefined : isoWithOffset(from, zone),
      to: to === undefined ? undefined : isoWithOffset(to, zone),
      zone,
      serviceLevelSeconds,
      totals: { ...this.#total.counts(), serviceLevel: this.#total.serviceLevel() },
      byHour: this.#hours.map((tally, hour) => hourOf(hour, tally)),
      byDay: everyDay(days).map((day) => dayOf(day, days.get(day) ?? new Tally())),
      byWeekdayAndHour: this.#heat,
      byQueue: [...this.#queues].map(([id, tally]) => this.#queueStats(id, tally)).sort(byCalls),
      byAgent: this.#agents.stats().filter(({ id }) => !this.#callQueues.isDeleted(id)),
      byResult: [...this.#results]
        .map(([result, calls]) => ({ result, calls }))
        .sort((a, b) => b.calls - a.calls || (a.result < b.result ? -1 : 1)),
    };
  }

  #sessionOf(record: Partial<CallLogRecord>): CallSession {
    const startTime = Date.parse(record.startTime ?? '');
    const { direction = '', result = '', duration = 0 } = record;
    const outcome = outcomeOf(direction, record.result);
    const owner = ownerOf(record);
    const isAnswered = outcome === 'answered';
    const waitSeconds = isAnswered ? answerWait(record, owner, startTime) : duration;
    return {
      startTime,
      direction,
      result,
      outcome,
      waitSeconds,
      talkSeconds: isAnswered ? Math.max(0, duration - waitSeconds) : 0,
      queueId: this.#callQueues.queueOf(record),
    };
  }

  #queueStats(id: string, tally: Tally): QueueStats {
    const name = this.#callQueues.nameOf(id);
    const extensionNumber = this.#options.numberOf(id);
    return { id, name, extensionNumber, ...tally.counts(), serviceLevel: tally.serviceLevel() };
  }
}

function hourOf(hour: number, tally: Tally): CallStats['byHour'][number] {
  return { hour, ...tally.counts() };
}

function dayOf(day: string, tally: Tally): CallStats['byDay'][number] {
  return { day, ...tally.counts() };
}

function byCalls(a: QueueStats, b: QueueStats): number {
  return b.calls - a.calls || (a.id < b.id ? -1 : 1);
}

/** Returns the seconds until the start of the leg that a different extension answered; 0 without such a leg. */
function answerWait(
  { legs = [], duration = 0 }: Partial<CallLogRecord>,
  owner: string,
  start: number,
): number {
  const taken = legs.filter(
    (leg) =>
      leg.extension?.id !== undefined &&
      String(leg.extension.id) !== owner &&
      outcomeOf(leg.direction, leg.result) === 'answered',
  );
  if (taken.length === 0) return 0;
  const first = Math.min(...taken.map(({ startTime }) => Date.parse(startTime)));
  const wait = Math.round((first - start) / 1000);
  return Number.isNaN(wait) ? 0 : Math.min(duration, Math.max(0, wait));
}

function tallyOf(groups: Map<string, Tally>, key: string): Tally {
  const known = groups.get(key);
  if (known) return known;
  const tally = new Tally();
  groups.set(key, tally);
  return tally;
}

function everyDay(days: ReadonlyMap<string, unknown>): readonly string[] {
  const known = [...days.keys()].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = Math.round((Date.parse(last) - Date.parse(first)) / dayMilliseconds) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * dayMilliseconds).toISOString().slice(0, 10),
  );
}
