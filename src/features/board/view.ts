import { timeOfDay } from '../../platform/moment.ts';
import type { Output, View } from '../../runtime/output.ts';
import { boardRows, stateText, type BoardRow } from './board.rows.ts';

/** Columns of a board, from the left. */
const order = ['state', 'extensionNumber', 'name', 'since', 'takesQueueCalls', 'presenceStatus', 'message'];

/** The board as people read it; `now` for how long something is so. Programs get the state without its sign. */
export function boardView({ format }: Pick<Output, 'format'>, now: () => number): View<BoardRow> {
  return {
    ...boardRows({ forPeople: format === 'table', now }).pick(order),
    line: (row, zone) =>
      `${timeOfDay(row.since, zone)}  ${row.extensionNumber ?? row.extensionId}  ${row.name}: ${stateText(row, true)}${queueNote(row)}`,
  };
}

/** Someone on a call may be out of the queues too. */
function queueNote({ takesQueueCalls, state }: BoardRow): string {
  return takesQueueCalls === false && state !== 'not taking queue calls' ? ', not taking queue calls' : '';
}
