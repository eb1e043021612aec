import { nullable, text } from '../../runtime/output-schema.ts';
import { withNumber } from '../../runtime/with-number.ts';
import { rows } from '../../runtime/rows.ts';

/** A message that a search found in the local mailbox copy. */
export const foundRows = rows(
  { empty: 'No messages found.' },
  {
    id: { schema: text, title: 'ID', kind: 'id', priority: 5 },
    mailbox: { schema: nullable(text), title: 'MAILBOX', priority: 1 },
    extensionId: { schema: text },
    type: { schema: nullable(text), title: 'TYPE', priority: 4 },
    direction: { schema: nullable(text) },
    creationTime: { schema: nullable(text), title: 'TIME', kind: 'time', priority: 8 },
    from: {
      schema: nullable(text),
      title: 'FROM',
      kind: 'phone',
      priority: 7,
      shown: (row) => partyText(row.from, row.fromName),
    },
    to: {
      schema: nullable(text),
      title: 'TO',
      kind: 'phone',
      priority: 6,
      shown: (row) => partyText(row.to, row.toNames),
    },
    fromName: { schema: nullable(text) },
    toNames: { schema: nullable(text) },
    readStatus: { schema: nullable(text), title: 'READ', kind: 'status', priority: 2 },
    availability: { schema: nullable(text) },
    conversationId: { schema: nullable(text) },
    text: { schema: nullable(text), title: 'TEXT', priority: 9, folds: 3, below: '' },
  },
);

/** Columns of the table, from the left. */
export const foundColumns = ['id', 'creationTime', 'type', 'from', 'to', 'readStatus', 'mailbox', 'text'];

/** Returns an extension by name and number, and another party by phone number and name. */
function partyText(number: string | null, name: string | null): string {
  const isNamed = name !== null && name !== number;
  if (number === null || !isNamed) return number ?? name ?? '';
  return number.startsWith('+') ? withNumber(number, name) : withNumber(name, number);
}
