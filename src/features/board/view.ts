import { timeOfDay } from '../../platform/moment.ts';
import type { Output, View } from '../../runtime/output.ts';
import type { BoardRow, BoardState } from './state.ts';

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

/** The board as people read it; `now` for how long something is so. Programs get the state without its sign. */
export function boardView({ format }: Pick<Output, 'format'>, now: () => number): View<BoardRow> {
  const sign = ({ state }: BoardRow): string => (format === 'table' ? `${signs[state]} ` : '');
  return {
    columns: [
      {
        key: 'state',
        title: 'STATE',
        kind: 'status',
        value: (row) => `${sign(row)}${stateText(row, format === 'table')}`,
        priority: 9,
      },
      { key: 'extensionNumber', title: 'NUMBER', value: (row) => row.extensionNumber, priority: 7 },
      { key: 'name', title: 'NAME', value: (row) => row.name, priority: 8 },
      { key: 'for', title: 'FOR', value: (row) => spanOf(row.since, now()), priority: 6 },
      { key: 'queueCalls', title: 'QUEUE CALLS', value: (row) => queueCallsOf(row), priority: 5 },
      {
        key: 'presenceStatus',
        title: 'PRESENCE',
        kind: 'status',
        value: (row) => row.presenceStatus,
        priority: 3,
      },
      { key: 'message', title: 'MESSAGE', value: (row) => row.message, priority: 2 },
    ],
    empty: 'Nobody to watch.',
    line: (row, zone) =>
      `${timeOfDay(row.since, zone)}  ${row.extensionNumber ?? row.extensionId}  ${row.name}: ${stateText(row, true)}${queueNote(row)}`,
  };
}

/** `not read yet`, `available (no answer)`; programs have state and reason apart. */
function stateText({ state, reason }: BoardRow, withReason: boolean): string {
  if (!withReason || reason === undefined) return state;
  return state === 'unknown' ? reason : `${state} (${reason})`;
}

function queueCallsOf({ takesQueueCalls }: BoardRow): string {
  if (takesQueueCalls === undefined) return '';
  return takesQueueCalls ? 'on' : 'off';
}

/** Someone on a call may be out of the queues too. */
function queueNote({ takesQueueCalls, state }: BoardRow): string {
  return takesQueueCalls === false && state !== 'not taking queue calls' ? ', not taking queue calls' : '';
}

/** `42s`, `17m`, `3h` */
function spanOf(since: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h`;
}
