import { flag, integer, nullable, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

const type = oneOf('SMS', 'Pager', 'Fax', 'VoiceMail', 'Call');

/** A retention rule, and its expired data. */
export const ruleRows = rows(
  { empty: 'No retention rules: the archive retains all data.' },
  {
    type: { schema: type, title: 'TYPE', kind: 'id', priority: 9 },
    keepDays: { schema: integer, title: 'DAYS', kind: 'number', priority: 8 },
    before: { schema: time, title: 'DELETES BEFORE', kind: 'time', priority: 5 },
    /** Messages or calls that the next `store expire` deletes. */
    items: { schema: integer, title: 'DUE', kind: 'number', priority: 7 },
    onHold: { schema: integer, title: 'ON HOLD', kind: 'number', priority: 6 },
    setAt: { schema: time, title: 'SET', kind: 'time', priority: 3 },
    setBy: { schema: text, title: 'BY', priority: 2 },
  },
);

/** The data of one type that `store expire` deleted. */
export const expiredRows = rows(
  { empty: 'No retention rules: the archive retains all data.' },
  {
    type: { schema: type, title: 'TYPE', kind: 'id', priority: 9 },
    before: { schema: time, title: 'BEFORE', kind: 'time', priority: 6 },
    deleted: { schema: flag, title: 'DELETED', priority: 5 },
    items: { schema: integer, title: 'ITEMS', kind: 'number', priority: 8 },
    versions: { schema: integer, title: 'VERSIONS', kind: 'number', priority: 2 },
    attachments: { schema: integer, title: 'ATTACHMENTS', kind: 'number', priority: 3 },
    onHold: { schema: integer, title: 'ON HOLD', kind: 'number', priority: 7 },
    oldest: { schema: nullable(text), title: 'OLDEST', kind: 'time', priority: 4 },
    keepDays: { schema: integer },
  },
);

export const holdRows = rows(
  { empty: 'No legal holds.' },
  {
    kind: { schema: oneOf('mailbox', 'number'), title: 'KIND', priority: 7 },
    value: { schema: text, title: 'VALUE', kind: 'id', priority: 9 },
    reason: { schema: text, title: 'REASON', priority: 8, folds: true },
    setAt: { schema: time, title: 'SET', kind: 'time', priority: 4 },
    setBy: { schema: text, title: 'BY', priority: 3 },
  },
);

export const trimRows = rows(
  {},
  {
    trimmed: { schema: flag, title: 'Trimmed' },
    deleted: { schema: integer, title: 'Changes deleted' },
    remaining: { schema: integer, title: 'Changes remaining' },
    blockedBy: { schema: optional(text), title: 'Blocked by reader' },
  },
);
