import {
  anyOf,
  array,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  record,
  resource,
  text,
  type Outputs,
} from '../../runtime/output-schema.ts';

const numbers = {
  inbound: integer,
  outbound: integer,
  answered: integer,
  talkSeconds: number,
};
const counts = {
  ...numbers,
  calls: integer,
  missed: integer,
  abandoned: integer,
  voicemail: integer,
  unanswered: integer,
  other: integer,
  averageTalkSeconds: number,
};
const serviceLevel = optional(number);

/** What these commands write as JSON. */
export const calllogOutputs: Outputs = {
  'calllog list': list(resource('CallLogRecord')),
  'calllog show': record(anyOf(resource('CallLogRecord'), array(resource('CallLogRecord')))),
  'calllog active': list(resource('CallLogRecord')),
  'calllog sync': record(
    object({
      scope: text,
      from: text,
      to: text,
      resumed: flag,
      received: integer,
      added: integer,
      changed: integer,
      unchanged: integer,
      withheld: integer,
    }),
  ),
  'calllog stats': record(
    object({
      from: optional(text),
      to: optional(text),
      zone: text,
      serviceLevelSeconds: number,
      totals: object({ ...counts, serviceLevel }),
      byHour: array(object({ ...counts, hour: integer })),
      byDay: array(object({ ...counts, day: text })),
      byWeekdayAndHour: array(array(integer)),
      byQueue: array(object({ ...counts, id: text, name: text, serviceLevel })),
      byAgent: array(object({ ...numbers, id: text, name: text, missedRings: integer })),
      byResult: array(object({ result: text, calls: integer })),
    }),
  ),
};
