import { array, integer, number, object, optional, record, text } from '../../runtime/output-schema.ts';

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

/** The whole report. */
export const statsOutput = record(() =>
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
);
