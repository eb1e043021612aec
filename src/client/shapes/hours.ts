import type { AnsweringRule } from '../../contract/answering-rule.ts';
import type { BusinessHours, WeeklyRanges } from '../../contract/business-hours.ts';
import { isJsonObject } from '../../platform/json.ts';
import {
  flag,
  key,
  list,
  object,
  optional,
  record,
  text,
  time,
  type Member,
  type ReplyShape,
} from './shape.ts';

const ranges = optional(list(object<{ from: string; to: string }>({ from: text, to: text })));
const weeklyRanges = optional(
  object<WeeklyRanges>({
    monday: ranges,
    tuesday: ranges,
    wednesday: ranges,
    thursday: ranges,
    friday: ranges,
    saturday: ranges,
    sunday: ranges,
  }),
);

const anyHours = record<BusinessHours>(
  {
    uri: text,
    schedule: optional(object<NonNullable<BusinessHours['schedule']>>({ weeklyRanges })),
  },
  [],
);

/**
 * Business hours, which have no ID. Without a schedule, the address must show that the record is one of business hours.
 */
export const businessHoursShape: ReplyShape = {
  ...anyHours,
  problem: (value) => {
    const problem = anyHours.problem(value);
    if (problem !== undefined || !isJsonObject(value)) return problem;
    const { schedule, uri } = value;
    if (isJsonObject(schedule)) return undefined;
    return typeof uri === 'string' && uri.endsWith('/business-hours')
      ? undefined
      : 'a record that has neither a schedule nor the address of business hours';
  },
};

/** An object that the client returns unchanged. */
const opaque: Member<Record<string, unknown>> = {
  read: (value) => (isJsonObject(value) ? value : undefined),
};

/** An answering rule. */
export const answeringRuleShape = record<AnsweringRule>(
  {
    uri: text,
    id: key,
    type: text,
    name: text,
    enabled: flag,
    callers: optional(list(object<{ callerId: string; name: string }>({ callerId: text, name: text }))),
    calledNumbers: optional(list(object<{ phoneNumber: string }>({ phoneNumber: text }))),
    schedule: optional(
      object<NonNullable<AnsweringRule['schedule']>>({
        weeklyRanges,
        ranges: optional(list(object<{ from: string; to: string }>({ from: time, to: time }))),
        ref: text,
      }),
    ),
    callHandlingAction: text,
    forwarding: opaque,
    unconditionalForwarding: optional(
      object<{ phoneNumber: string; action: string }>({ phoneNumber: text, action: text }),
    ),
    queue: opaque,
    transfer: opaque,
    voicemail: opaque,
    missedCall: opaque,
    greetings: optional(list(opaque)),
    screening: text,
    sharedLines: opaque,
  },
  ['id'],
);
