import { phoneNumberText } from '../../platform/phone-number-text.ts';
import { flag, lines, object, optional, text, textOf, time } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The states of a person on a board, in the order of the board. */
export const boardStates = [
  'ringing',
  'on a call',
  'available',
  'busy',
  'not taking queue calls',
  'signed out of the queue',
  'offline',
  'unknown',
] as const;
/** A state, or `removed` in the record of a person who has left the board. */
export type BoardState = (typeof boardStates)[number] | 'removed';

/**
 * The reason why a presence could not be read. `not visible to you` means that the application has no permission, or
 * that the person hides their presence. `signed out` means that the session of ucctl has ended.
 */
export type UnreadableReason =
  | 'not read yet'
  | 'not visible to you'
  | 'rejected'
  | 'no response'
  | 'signed out'
  | 'no presence';

/** A symbol before the state, so that it can be recognized without colors. */
const signs: Readonly<Record<BoardState, string>> = {
  ringing: '*',
  'on a call': '#',
  available: '+',
  busy: '-',
  'not taking queue calls': 'x',
  'signed out of the queue': 'x',
  offline: '.',
  unknown: '?',
  removed: ' ',
};

/**
 * Format of the cells: with symbols and reasons for people, or only the state for programs. Durations end at `now`, in
 * milliseconds since 1970.
 */
interface CellOptions {
  readonly forPeople: boolean;
  readonly now: () => number;
}

/** The current call of a person. */
const callSchema = object({
  direction: optional(text),
  from: optional(text),
  fromName: optional(text),
  to: optional(text),
  toName: optional(text),
  queueCall: optional(flag),
  /** The queue of a queue call, if the service names it. */
  queue: optional(text),
  startTime: optional(text),
});

/** A call in the form that the service reports in `activeCalls`. */
export interface BoardCall {
  readonly direction?: string | undefined;
  readonly from?: string | undefined;
  readonly fromName?: string | undefined;
  readonly to?: string | undefined;
  readonly toName?: string | undefined;
  readonly queueCall?: boolean | undefined;
  /** Name and number of the queue, if the service names it. */
  readonly queue?: string | undefined;
  readonly startTime?: string | undefined;
}

/** Direction and other end of a call: `from` the caller and, for a queue call, the queue; `to` the called party. */
export function callText(call: BoardCall | undefined, person: string): string {
  if (!call) return '';
  if (call.direction === 'Outbound') return `to ${partyText(call.to, call.toName)}`;
  const from = `from ${partyText(call.from, call.fromName)}`;
  if (call.queue !== undefined) return `${from} → ${call.queue}`;
  // The text does not repeat the person of the row.
  const isPerson = call.toName === person || (call.to === undefined && call.toName === undefined);
  if (isPerson) return call.queueCall === true ? `${from} (queue)` : from;
  return call.queueCall === true ? `${from} → ${call.toName ?? partyText(call.to, undefined)}` : from;
}

function partyText(number: string | undefined, name: string | undefined): string {
  const readable = phoneNumberText(number ?? '');
  if (readable === '') return name ?? 'unknown number';
  return name === undefined || name === number ? readable : `${name} (${readable})`;
}

/** A person on a board of presences. */
export type BoardRow = RowOf<ReturnType<typeof boardRows>>;

/** The rows of `queue watch` and `presence watch`. */
export function boardRows({ forPeople, now }: CellOptions) {
  const sign = (state: BoardState): string => (forPeople ? `${signs[state]} ` : '');
  return rows(
    { empty: 'No people to watch.' },
    {
      extensionId: { schema: text },
      extensionNumber: { schema: optional(text), title: 'NUMBER', priority: 7 },
      name: { schema: text, title: 'NAME', priority: 10, least: 12, apartBy: 'extensionNumber' },
      state: {
        schema: textOf<BoardState>(),
        title: 'STATE',
        kind: 'status',
        priority: 9,
        cell: (row) => `${sign(row.state)}${stateText(row, forPeople)}`,
      },
      /** The reason why the state is unknown or out of date; absent for an up-to-date state. */
      reason: { schema: optional(textOf<UnreadableReason>()) },
      /** Whether this person accepts calls from queues; undefined while the presence is unknown. */
      acceptsQueueCalls: {
        schema: optional(flag),
        key: 'queueCalls',
        title: 'QUEUE CALLS',
        priority: 5,
        cell: queueCallsOf,
      },
      /** Whether this person is signed out of the queue of the board; absent if that is unknown. */
      isSignedOut: { schema: optional(flag) },
      /** Start of the state: the start of the call, the time of the event, or else the first read by this board. */
      since: {
        schema: time,
        key: 'for',
        title: 'FOR',
        priority: 6,
        cell: (row) =>
          row.isStartKnown || !forPeople ? spanOf(row.since, now()) : leastSpanOf(row.since, now()),
      },
      /** Whether `since` is the start of the state. If not, the state began at that time or earlier. */
      isStartKnown: { schema: flag },
      /** The current call; absent without a call. */
      call: {
        schema: optional(callSchema),
        title: 'CALL',
        priority: 6,
        whole: true,
        below: '',
        cell: (row) => callText(row.call, row.name),
      },
      presenceStatus: { schema: optional(text), title: 'PRESENCE', kind: 'status', priority: 3 },
      telephonyStatus: { schema: optional(text) },
      userStatus: { schema: optional(text) },
      meetingStatus: { schema: optional(text) },
      dndStatus: { schema: optional(text) },
      message: { schema: optional(text), title: 'MESSAGE', priority: 2 },
    },
  );
}

/** The output of a board: a record for each person and for each change. */
export const boardOutput = lines(() => boardRows({ forPeople: false, now: () => 0 }).schema);

/** The call status of a person. */
interface CallStatus {
  readonly state: BoardState;
  readonly reason?: UnreadableReason | undefined;
  readonly acceptsQueueCalls?: boolean | undefined;
}

/** The states in texts for people. The name that programs get is too long for a narrow terminal. */
export function stateLabel(state: BoardState): string {
  if (state === 'signed out of the queue') return 'signed out of queue';
  return state === 'not taking queue calls' ? 'queue calls off' : state;
}

/** Returns the state: for people with its reason, e.g. `available (no response)`. */
export function stateText({ state, reason }: CallStatus, forPeople: boolean): string {
  if (!forPeople) return state;
  if (reason === undefined) return stateLabel(state);
  return state === 'unknown' ? reason : `${stateLabel(state)} (${reason})`;
}

function queueCallsOf({ acceptsQueueCalls }: CallStatus): string {
  if (acceptsQueueCalls === undefined) return '';
  return acceptsQueueCalls ? 'accepted' : 'off';
}

/** Returns a minimum duration such as `17m+`; `?` for less than a minute, because such a value is not useful. */
function leastSpanOf(since: string, now: number): string {
  return now - Date.parse(since) < 60_000 ? '?' : `${spanOf(since, now)}+`;
}

/** Returns a duration such as `42s`, `17m` or `3h`. */
function spanOf(since: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h`;
}
