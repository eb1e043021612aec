import { anything, anyOf, array, flag, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const hidden = { schema: optional(anything) };

/** An answering rule with its extension, as in a file for `rule apply`. */
export type RuleRow = RowOf<typeof ruleRows>;

export const ruleRows = rows(
  { empty: 'No answering rules.' },
  {
    extension: { schema: text, title: 'EXTENSION', kind: 'id', priority: 7 },
    rule: { schema: text, title: 'ID', kind: 'id', priority: 5 },
    name: { schema: optional(text), title: 'NAME', priority: 9 },
    type: { schema: optional(text), title: 'TYPE', priority: 6 },
    enabled: { schema: optional(flag), title: 'ENABLED', priority: 8 },
    callHandlingAction: { schema: optional(text), title: 'ACTION', priority: 8, below: '' },
    callers: hidden,
    calledNumbers: hidden,
    schedule: hidden,
    forwarding: hidden,
    unconditionalForwarding: hidden,
    queue: hidden,
    transfer: hidden,
    voicemail: hidden,
    missedCall: hidden,
    greetings: hidden,
    screening: { schema: optional(text) },
  },
);

/** Rules as a document, or as rows. */
export const rulesOutput = record(() => anyOf(object({ rules: array(ruleRows) }), array(ruleRows)));
