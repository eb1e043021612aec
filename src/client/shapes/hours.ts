import type { AnsweringRule } from '../../contract/answering-rule.ts';
import type { BusinessHours, WeeklyRanges } from '../../contract/business-hours.ts';
import { isJsonObject } from '../../platform/json.ts';
import { flag, key, list, object, optional, record, text, time, type Member } from './shape.ts';

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

/** Business hours, which have no id. */
export const businessHoursShape = record<BusinessHours>(
  {
    uri: text,
    schedule: optional(object<NonNullable<BusinessHours['schedule']>>({ weeklyRanges })),
  },
  [],
  ['schedule', 'uri'],
);

/** An object that is passed on unchanged. */
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
