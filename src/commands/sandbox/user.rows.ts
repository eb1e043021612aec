import { array, integer, optional, text, time } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';
import { jsonCell } from './json-cell.rows.ts';

/** A user of a sandbox after a change, with the number of sessions and subscriptions that the change ended. */
export const userRows = rows(
  {},
  {
    extensionId: { schema: text, title: 'EXTENSION ID' },
    status: { schema: optional(text), title: 'STATUS' },
    endedSessions: { schema: optional(integer), title: 'ENDED SESSIONS' },
    endedSubscriptions: { schema: optional(integer), title: 'ENDED SUBSCRIPTIONS' },
    queues: { schema: optional(array(text)), title: 'QUEUES', cell: jsonCell('queues') },
    messages: { schema: optional(integer), title: 'MESSAGES' },
  },
);

export const tokenRows = rows({}, { endedSessions: { schema: integer, title: 'ENDED SESSIONS' } });

/** A signed assertion of a user. */
export const assertionRows = rows(
  {},
  {
    assertion: { schema: text, title: 'ASSERTION' },
    extensionId: { schema: text, title: 'EXTENSION ID' },
    expiresAt: { schema: time, title: 'EXPIRES AT' },
  },
);
