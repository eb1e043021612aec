import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { EventsImportOptions } from './import.ts';
import { importRows } from './import.rows.ts';

export const eventsImport = defineCommand<EventsImportOptions>({
  path: ['events', 'import'],
  summary: 'Import events from a file',
  description:
    'ucctl skips events that it has already stored. webhook listen and subscribe tail neither show nor forward imported events.',
  details:
    'ucctl imports an event of ucctl events export with its original time, receiver and origin, and any other notification with the import time.',
  options: {
    file: {
      type: 'string',
      positional: true,
      required: true,
      value: 'FILE|-',
      summary: 'File with one event per line, as written by ucctl events export; - for standard input',
    },
  },
  examples: [{ comment: 'Import events from another machine', command: 'ucctl events import events.ndjson' }],
  output: record(importRows),
  load: () => import('./import.ts').then((m) => m.importEvents),
});
