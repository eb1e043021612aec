import { anything, text, textOf } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

export const postRows = rows(
  {},
  {
    webhook: { schema: text, title: 'WEBHOOK', kind: 'id', priority: 2 },
    status: { schema: textOf<'posted'>(), title: 'STATUS', kind: 'status', priority: 1 },
    post: { schema: anything },
  },
);
