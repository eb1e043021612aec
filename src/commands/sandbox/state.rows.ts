import {
  anything,
  array,
  flag,
  integer,
  number,
  optional,
  recordOrList,
  text,
  time,
} from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';
import { jsonCell } from './json-cell.rows.ts';

/** The clock of a sandbox, with the timers that an advance fired. */
export const clockRows = rows(
  {},
  {
    time: { schema: time, title: 'TIME' },
    mode: { schema: text, title: 'MODE' },
    fired: { schema: array(anything) },
  },
);

/** Returns the cell of a time, which is in milliseconds since 1970. */
function moment(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

/** The traffic generator of a sandbox. Times are milliseconds since 1970. */
export const trafficRows = rows(
  {},
  {
    perMinute: { schema: optional(number), title: 'PER MINUTE' },
    kinds: { schema: optional(array(text)), title: 'KINDS', cell: jsonCell('kinds') },
    seconds: { schema: optional(number), title: 'SECONDS' },
    running: { schema: flag, title: 'RUNNING' },
    made: { schema: optional(integer), title: 'GENERATED' },
    until: { schema: optional(number), title: 'UNTIL', cell: ({ until }) => moment(until) },
    nextAt: {
      schema: optional(number),
      title: 'NEXT EVENT',
      cell: ({ running, nextAt }) => (running ? moment(nextAt) : undefined),
    },
  },
);

/** A saved state of a sandbox. */
export const snapshotRows = rows(
  { empty: 'No snapshots.' },
  {
    name: { schema: text, title: 'NAME', priority: 3 },
    bytes: { schema: optional(integer), title: 'BYTES', kind: 'number', priority: 1 },
    savedAt: { schema: optional(text), title: 'SAVED AT', priority: 2 },
  },
);

export const snapshotOutput = recordOrList(snapshotRows);

export const resetRows = rows({}, { reset: { schema: flag, title: 'STATE', cell: () => 'reset' } });

export const stopRows = rows({}, { stopping: { schema: flag, title: 'STATE', cell: () => 'stopping' } });
