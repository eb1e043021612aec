import { flag, lines, optional, text, textOf, time } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** What an administrator wants to know of a person at a glance; in the order of the board. */
export const boardStates = [
  'ringing',
  'on a call',
  'available',
  'busy',
  'not taking queue calls',
  'offline',
  'unknown',
] as const;
export type BoardState = (typeof boardStates)[number];

/** Why the board does not see someone. `not shown to you`: the service refuses this sign-in, by a permission or by the person's own choice. */
export type BlindReason = 'not read yet' | 'not shown to you' | 'refused' | 'no answer' | 'has no presence';

/** A sign beside the word: the state is never told by colour alone. */
const signs: Readonly<Record<BoardState, string>> = {
  ringing: '*',
  'on a call': '#',
  available: '+',
  busy: '-',
  'not taking queue calls': 'x',
  offline: '.',
  unknown: '?',
};

/** How a board is shown: `now` is for how long something is so; people get signs and reasons in the cells, programs the state alone. */
interface Shown {
  readonly forPeople: boolean;
  readonly now: () => number;
}

/** A person on a board of presences. */
export type BoardRow = RowOf<ReturnType<typeof boardRows>>;

/** The rows of `queue watch` and `presence watch`. */
export function boardRows({ forPeople, now }: Shown) {
  const sign = (state: BoardState): string => (forPeople ? `${signs[state]} ` : '');
  return rows(
    { empty: 'Nobody to watch.' },
    {
      extensionId: { schema: text },
      extensionNumber: { schema: optional(text), title: 'NUMBER', priority: 7 },
      name: { schema: text, title: 'NAME', priority: 8 },
      state: {
        schema: textOf<BoardState>(),
        title: 'STATE',
        kind: 'status',
        priority: 9,
        cell: (row) => `${sign(row.state)}${stateText(row, forPeople)}`,
      },
      /** Why nothing is known, or nothing new: absent where what is shown is what the service said last. */
      reason: { schema: optional(textOf<BlindReason>()) },
      /** Whether calls of queues reach this person; undefined while nothing is known. */
      takesQueueCalls: {
        schema: optional(flag),
        key: 'queueCalls',
        title: 'QUEUE CALLS',
        priority: 5,
        cell: queueCallsOf,
      },
      /** Since when it is so, as far as this board has seen. */
      since: {
        schema: time,
        key: 'for',
        title: 'FOR',
        priority: 6,
        cell: (row) => spanOf(row.since, now()),
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

/** What a board writes: a record for each person and for each change. */
export const boardOutput = lines(() => boardRows({ forPeople: false, now: () => 0 }).schema);

/** What is known of a person's calls. */
interface Standing {
  readonly state: BoardState;
  readonly reason?: BlindReason | undefined;
  readonly takesQueueCalls?: boolean | undefined;
}

/** `not read yet`, `available (no answer)`; programs have state and reason apart. */
export function stateText({ state, reason }: Standing, withReason: boolean): string {
  if (!withReason || reason === undefined) return state;
  return state === 'unknown' ? reason : `${state} (${reason})`;
}

function queueCallsOf({ takesQueueCalls }: Standing): string {
  if (takesQueueCalls === undefined) return '';
  return takesQueueCalls ? 'on' : 'off';
}

/** `42s`, `17m`, `3h` */
function spanOf(since: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h`;
}
