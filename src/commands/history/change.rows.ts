import type { JournalItem } from '../../features/bulk/index.ts';
import { madeWord } from '../../runtime/made-words.ts';
import { integer, list, nullable, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { rows, source } from '../../runtime/rows.ts';
import { changeStatuses, changeStatusOf } from '../../runtime/change-status.ts';

/** One change of a run, without the payload. */
export const changeRows = rows(
  { source: source<JournalItem<unknown>>() },
  {
    /** The number of the change in its run, counted from 1. */
    seq: { schema: integer, from: (item) => item.seq + 1, title: '#', kind: 'number', priority: 3 },
    /** Number of the queue, or its ID; absent if the change is not about a queue. */
    queue: { schema: optional(text), title: 'QUEUE', isIncluded: true },
    /** Number of the extension, or its ID; absent if the change is not about an extension. */
    extension: { schema: optional(text), title: 'EXTENSION', isIncluded: true },
    action: { schema: text, from: (item) => item.action, title: 'ACTION', priority: 7 },
    subject: { schema: text, from: (item) => item.subject, title: 'WHAT', priority: 6, least: 30, below: '' },
    status: {
      schema: oneOf(...changeStatuses),
      from: changeStatusOf,
      title: 'STATUS',
      kind: 'status',
      priority: 8,
      shown: ({ action, status, code }) => {
        if (code === 'duplicate') return 'already sent';
        return status === 'ok' ? (madeWord(action) ?? status) : status;
      },
    },
    code: { schema: optional(text), from: (item) => item.code, title: 'CODE', priority: 5 },
    message: {
      schema: optional(text),
      from: (item) => item.message,
      title: 'MESSAGE',
      priority: 4,
      folds: true,
      below: '',
    },
    requestId: {
      schema: optional(text),
      from: (item) => item.requestId,
      title: 'REQUEST ID',
      kind: 'id',
      priority: 1,
    },
    /** ID of what the change created, such as a message. */
    resultId: { schema: optional(text), from: (item) => item.resultId },
    attempts: {
      schema: integer,
      from: (item) => item.attempts,
      title: 'ATTEMPTS',
      kind: 'number',
      priority: 2,
    },
    /** Time of the last change of status; null before the first request. */
    time: {
      schema: nullable(time),
      from: (item) => (item.time === undefined ? null : new Date(item.time).toISOString()),
      title: 'CHANGED',
      kind: 'time',
      priority: 2,
    },
  },
);

/** The output of `history show` and `history undo`. */
export const changeOutput = list(changeRows);
