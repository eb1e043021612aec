import { integer, nullable, number, optional, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** A fault of a sandbox: the requests or notifications that fail, and the numbers of matches and failures so far. */
export const faultRows = rows(
  { empty: 'No faults.' },
  {
    id: { schema: integer, title: 'ID', kind: 'id', priority: 9 },
    kind: { schema: text, title: 'KIND', priority: 8 },
    operation: { schema: optional(nullable(text)), title: 'OPERATION', priority: 7 },
    extension: { schema: optional(nullable(text)), title: 'EXTENSION', priority: 7 },
    status: { schema: optional(nullable(integer)), title: 'STATUS', priority: 6 },
    milliseconds: { schema: optional(nullable(integer)), title: 'MILLISECONDS', priority: 0 },
    retryAfter: { schema: optional(nullable(integer)), title: 'RETRY AFTER', priority: 0 },
    after: { schema: integer, title: 'AFTER', priority: 2 },
    times: { schema: integer, title: 'TIMES', priority: 4 },
    probability: { schema: number, title: 'PROBABILITY', priority: 3 },
    seen: { schema: integer, title: 'SEEN', priority: 1 },
    hits: { schema: integer, title: 'HITS', priority: 5 },
  },
);
