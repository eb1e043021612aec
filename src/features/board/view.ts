import { timeOfDay } from '../../platform/moment.ts';
import type { Column, Output, View } from '../../runtime/output.ts';
import { boardRows, callText, stateText, type BoardRow } from './board.rows.ts';

/** Columns of a board, from the left. */
const order = [
  'state',
  'extensionNumber',
  'name',
  'since',
  'call',
  'acceptsQueueCalls',
  'presenceStatus',
  'message',
];

/** Returns the columns of a board; durations end at `now`. Programs get the state without its symbol. */
export function boardView({ format }: Pick<Output, 'format'>, now: () => number): View<BoardRow> {
  const { columns, ...view } = boardRows({ forPeople: format === 'table', now }).pick(order);
  return {
    ...view,
    columns: columns.map((column) => sortable(column, now)),
    line: (row, zone) =>
      `${timeOfDay(row.since, zone)}  ${row.extensionNumber ?? row.extensionId}  ${row.name}: ${stateText(row, true)}${callNote(row)}${queueNote(row)}`,
  };
}

/** Returns the column with its order on the board. Durations are texts, which do not sort by length. */
function sortable(column: Column<BoardRow>, now: () => number): Column<BoardRow> {
  if (column.key !== 'for') return column;
  return { ...column, order: (row) => now() - Date.parse(row.since) };
}

function callNote({ call, name, state }: BoardRow): string {
  return call && (state === 'ringing' || state === 'on a call') ? `, ${callText(call, name)}` : '';
}

/** Returns a note for a person who does not accept queue calls; empty if the state already shows that. */
function queueNote({ acceptsQueueCalls, state }: BoardRow): string {
  const isInState = state === 'not taking queue calls' || state === 'signed out of the queue';
  return acceptsQueueCalls === false && !isInState ? ', queue calls off' : '';
}
