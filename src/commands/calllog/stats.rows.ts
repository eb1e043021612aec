import {
  agentRows,
  callRows,
  dayRows,
  hourRows,
  queueRows,
  resultRows,
  totalRows,
  weekdayHourRows,
} from '../../features/call-stats/stats.rows.ts';
import {
  anyOf,
  array,
  integer,
  number,
  object,
  optional,
  recordOrList,
  text,
} from '../../runtime/output-schema.ts';

const numbers = {
  inbound: integer,
  outbound: integer,
  unknownDirection: integer,
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

const groupRows = [totalRows, hourRows, dayRows, weekdayHourRows, queueRows, agentRows, resultRows, callRows];
const extensionNumber = optional(text);

/** The output of `calllog stats`: totals and counts for each group, or with --by the rows of one kind of group. */
export const statsOutput = recordOrList(
  () =>
    object({
      from: optional(text),
      to: optional(text),
      zone: text,
      serviceLevelSeconds: number,
      totals: object({ ...counts, serviceLevel }),
      byHour: array(object({ ...counts, hour: integer })),
      byDay: array(object({ ...counts, day: text })),
      byWeekdayAndHour: array(array(integer)),
      byQueue: array(object({ ...counts, id: text, name: text, extensionNumber, serviceLevel })),
      byAgent: array(object({ ...numbers, id: text, name: text, extensionNumber, missedRings: integer })),
      byResult: array(object({ result: text, calls: integer })),
    }),
  () => anyOf(...groupRows),
);
