import { array, integer, number, optional, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The groups that `calllog stats --by` can list. */
export const statsGroups = [
  'total',
  'hour',
  'day',
  'weekday-hour',
  'queue',
  'agent',
  'result',
  'call',
] as const;
export type StatsGroup = (typeof statsGroups)[number];

const calls = { schema: integer, title: 'CALLS', kind: 'number', priority: 8 } as const;
const direction = {
  inbound: { schema: integer, title: 'INBOUND', kind: 'number', priority: 3 },
  outbound: { schema: integer, title: 'OUTBOUND', kind: 'number', priority: 3 },
  unknownDirection: { schema: integer, title: 'UNKNOWN DIRECTION', kind: 'number', priority: 1 },
  answered: { schema: integer, title: 'ANSWERED', kind: 'number', priority: 7 },
} as const;
const talk = { schema: number, title: 'TALK SECONDS', kind: 'number', priority: 4 } as const;
const counts = {
  calls,
  ...direction,
  missed: { schema: integer, title: 'MISSED', kind: 'number', priority: 6 },
  abandoned: { schema: integer, title: 'ABANDONED', kind: 'number', priority: 6 },
  voicemail: { schema: integer, title: 'VOICEMAIL', kind: 'number', priority: 2 },
  unanswered: { schema: integer, title: 'UNANSWERED', kind: 'number', priority: 2 },
  other: { schema: integer, title: 'OTHER', kind: 'number', priority: 1 },
  talkSeconds: talk,
} as const;
const serviceLevel = {
  schema: optional(number),
  title: 'SERVICE LEVEL',
  kind: 'number',
  priority: 5,
  cell: roundedLevel,
} as const;
/** Returns a share with four decimals, as exact as people and spreadsheets need. */
function roundedLevel(row: { readonly serviceLevel?: number | undefined }): number | undefined {
  return row.serviceLevel === undefined ? undefined : Math.round(row.serviceLevel * 10_000) / 10_000;
}

const extension = {
  extensionNumber: { schema: optional(text), key: 'extension', title: 'EXTENSION', priority: 9 },
  name: { schema: text, title: 'NAME', priority: 9 },
} as const;
const id = { schema: text, title: 'ID', kind: 'id', priority: 1 } as const;

export const totalRows = rows({}, { ...counts, serviceLevel });

export const hourRows = rows({}, { hour: { schema: integer, title: 'HOUR', priority: 9 }, ...counts });

export const dayRows = rows(
  { empty: 'No calls.' },
  { day: { schema: text, title: 'DAY', priority: 9 }, ...counts },
);

/** Calls in one hour of one weekday; 1 is Monday. */
export const weekdayHourRows = rows(
  {},
  {
    weekday: { schema: integer, title: 'WEEKDAY', priority: 9 },
    hour: { schema: integer, title: 'HOUR', priority: 9 },
    calls,
  },
);

export const queueRows = rows(
  { empty: 'No calls to queues.' },
  { ...extension, ...counts, serviceLevel, id },
);

export const agentRows = rows(
  { empty: 'No calls.' },
  {
    ...extension,
    ...direction,
    missedRings: { schema: integer, title: 'MISSED RINGS', kind: 'number', priority: 6 },
    talkSeconds: talk,
    id,
  },
);

export const resultRows = rows(
  { empty: 'No calls.' },
  { result: { schema: text, title: 'RESULT', priority: 9 }, calls },
);

/** The calls that the statistics count. */
export const callRows = rows(
  { empty: 'No calls.' },
  {
    start: { schema: optional(text), title: 'START', kind: 'time', priority: 9 },
    direction: { schema: text, title: 'DIRECTION', priority: 4 },
    from: { schema: text, title: 'FROM', kind: 'phone', priority: 8 },
    to: { schema: text, title: 'TO', kind: 'phone', priority: 8 },
    outcome: { schema: text, title: 'OUTCOME', priority: 7 },
    result: { schema: text, title: 'RESULT', priority: 3 },
    waitSeconds: { schema: number, title: 'WAIT SECONDS', kind: 'number', priority: 5 },
    talkSeconds: talk,
    queue: { schema: optional(text), title: 'QUEUE ID', kind: 'id', priority: 2 },
    agents: {
      schema: array(text),
      title: 'AGENT IDS',
      priority: 1,
      cell: ({ agents }) => agents.join(' '),
    },
    day: { schema: optional(text), title: 'DAY', priority: 1 },
    hour: { schema: optional(integer), title: 'HOUR', priority: 1 },
    sessionId: { schema: text, title: 'SESSION', kind: 'id', priority: 2 },
  },
);
