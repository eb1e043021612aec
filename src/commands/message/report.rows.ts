import { integer, nullable, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** A file of a report. `ucctl download -f` reads the member `uri`. */
export const reportRows = rows(
  { empty: 'No messages in this period.' },
  {
    report: { schema: text, title: 'REPORT', kind: 'id', priority: 5 },
    uri: { schema: text, title: 'URI', priority: 9 },
    size: { schema: nullable(integer), title: 'BYTES', kind: 'number', priority: 7 },
  },
);
