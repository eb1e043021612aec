import { scheduleText } from '../../platform/schedule-text.ts';
import { shownValue } from '../../platform/shown-value.ts';
import { anything, anyOf, array, flag, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const hidden = { schema: optional(anything) };

/** An answering rule with its extension, as in a file for `rule apply`. */
export type RuleRow = RowOf<typeof ruleRows>;

/** Returns when a rule applies, such as `business hours, calls from +14155550100`. */
function whenText({ type, schedule, callers, calledNumbers }: Readonly<Record<string, unknown>>): string {
  // The type of a standard rule is the time when it applies.
  const standard = type === 'Custom' ? undefined : scheduleText({ ref: type });
  // A schedule without any time, or in an unknown form, is shown as it is.
  const time =
    schedule === undefined || schedule === null ? standard : (scheduleText(schedule) ?? shownValue(schedule));
  const parts = [
    ...(time === undefined ? [] : [time]),
    ...numbersText('calls from', callers, 'callerId'),
    ...numbersText('calls to', calledNumbers, 'phoneNumber'),
  ];
  return parts.join(', ') || 'always';
}

function numbersText(words: string, list: unknown, member: string): readonly string[] {
  if (!Array.isArray(list) || list.length === 0) return [];
  const entries = list as readonly Readonly<Record<string, unknown>>[];
  return [`${words} ${entries.map((entry) => shownValue(entry[member] ?? entry['name'])).join(', ')}`];
}

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
    when: { title: 'WHEN', priority: 7, least: 34, folds: true, below: 'when: ', cell: whenText },
  },
);

/** Rules as a document, or as rows. */
export const rulesOutput = record(() => anyOf(object({ rules: array(ruleRows) }), array(ruleRows)));
