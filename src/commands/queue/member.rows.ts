import type { Extension } from '../../contract/extension.ts';
import { id, optional, text } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/**
 * An agent of a queue: the service lists ID, number and address; all other members come from the account's extension
 * list.
 */
export type MemberRow = RowOf<typeof memberRows>;

export const memberRows = rows(
  { source: source<Extension | undefined>(), empty: 'No agents in this queue.' },
  {
    id: { schema: id, title: 'ID', kind: 'id', priority: 1 },
    extensionNumber: { schema: optional(text), key: 'number', title: 'NUMBER', priority: 4 },
    name: {
      schema: optional(text),
      from: (agent) => agent?.name,
      title: 'NAME',
      priority: 5,
      apartBy: 'number',
    },
    email: { schema: optional(text), from: (agent) => agent?.contact?.email, title: 'EMAIL', priority: 2 },
    type: { schema: optional(text), from: (agent) => agent?.type },
    status: {
      schema: optional(text),
      from: (agent) => agent?.status,
      title: 'STATUS',
      kind: 'status',
      priority: 3,
    },
    uri: { schema: optional(text) },
  },
);
