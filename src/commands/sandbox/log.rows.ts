import {
  anything,
  array,
  flag,
  integer,
  nullable,
  optional,
  text,
  time,
} from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';
import { jsonCell } from './json-cell.rows.ts';

/** A request that a sandbox received; `unread` names the members and parameters that the sandbox ignored. */
export const requestRows = rows(
  { empty: 'No requests.' },
  {
    id: { schema: integer },
    time: { schema: time, title: 'TIME', priority: 6 },
    status: { schema: integer, title: 'STATUS', priority: 8 },
    method: { schema: text, title: 'METHOD', priority: 7 },
    path: { schema: text, title: 'PATH', priority: 9, least: 12 },
    operation: { schema: optional(nullable(text)), title: 'OPERATION', priority: 2 },
    /** Name of the application; absent if the sandbox rejected the request before it knew the application. */
    app: { schema: optional(text) },
    /** Name and number of the user. */
    user: { schema: optional(text) },
    unread: { schema: array(text), title: 'UNREAD', priority: 3, cell: jsonCell('unread') },
    /** Code of the error of a rejected request; a table also shows the message. */
    errorCode: {
      schema: optional(text),
      title: 'ERROR',
      priority: 4,
      below: '',
      whole: true,
      shown: ({ errorCode, errorMessage }) =>
        [errorCode, errorMessage].filter((part) => part !== undefined).join(': '),
    },
    errorMessage: { schema: optional(text), title: 'ERROR MESSAGE', isIncluded: true },
    /** Whether the sandbox still has the body of the request, for its page. */
    hasBody: { schema: flag },
  },
);

/** A post to a chat webhook of a sandbox. */
export const postRows = rows(
  { empty: 'No posts.' },
  {
    id: { schema: integer },
    time: { schema: time, title: 'TIME', priority: 5 },
    groupId: { schema: text, title: 'GROUP ID', kind: 'id', priority: 2 },
    webhookId: { schema: text, title: 'WEBHOOK ID', kind: 'id', priority: 1 },
    post: { schema: anything, title: 'POST', priority: 4, folds: 3, below: '', cell: jsonCell('post') },
  },
);
