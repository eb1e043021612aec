import { readWrittenNumber } from '../../platform/e164.ts';
import type { Value, Values } from '../resource-plan/index.ts';

/** The settings of a rule that contain phone numbers, with the member of each entry that is the number. */
const numberMembers = {
  callers: 'callerId',
  calledNumbers: 'phoneNumber',
  unconditionalForwarding: 'phoneNumber',
} as const;

/** Settings whose phone numbers have no trunk prefix, and the problems with the numbers by setting. */
interface ReadNumbers {
  readonly values: Values;
  readonly problems: readonly (readonly [setting: string, text: string])[];
}

/** Reads the phone numbers in the settings of a rule. Numbers that the rule already has are unchanged. */
export async function readNumbers(values: Values, present: Values): Promise<ReadNumbers> {
  const read: Record<string, Value> = { ...values };
  const problems: (readonly [string, string])[] = [];
  for (const [setting, member] of Object.entries(numberMembers)) {
    const known = new Set(entriesOf(present[setting]).map((entry) => memberOf(entry, member)));
    const entries: Value[] = [];
    for (const entry of entriesOf(values[setting])) {
      const text = memberOf(entry, member);
      const isNew = typeof text === 'string' && !known.has(text);
      const { number, lengthProblem } = isNew ? await readWrittenNumber(text) : {};
      if (lengthProblem !== undefined) problems.push([setting, `"${setting}": "${number}" ${lengthProblem}`]);
      entries.push(number === undefined ? entry : { ...(entry as Values), [member]: number });
    }
    const [only] = entries;
    if (only !== undefined) read[setting] = Array.isArray(values[setting]) ? entries : only;
  }
  return { values: read, problems };
}

function entriesOf(value: Value | undefined): readonly Value[] {
  if (Array.isArray(value)) return value as readonly Value[];
  return value === undefined || value === null ? [] : [value];
}

function memberOf(entry: Value, member: string): Value | undefined {
  return typeof entry === 'object' && entry !== null ? (entry as Values)[member] : undefined;
}
