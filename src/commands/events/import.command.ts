import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { EventsImportOptions } from './import.ts';
import { importRows } from './import.rows.ts';

export const eventsImport = defineCommand<EventsImportOptions>({
  path: ['events', 'import'],
  summary: 'Import events from a file',
  description:
    'Events that are already stored are skipped. Imported events are never shown or forwarded by webhook listen and subscribe tail.',
  details:
    'An event from ucctl events export keeps its time, receiver and origin; any other notification gets the time of the import.',
  options: {
    file: {
      type: 'string',
      positional: true,
      required: true,
      value: 'FILE|-',
      summary: 'File with one event per line, as written by ucctl events export; - reads standard input',
    },
  },
  examples: [
    { comment: 'Import the events of another machine', command: 'ucctl events import events.ndjson' },
  ],
  output: record(importRows),
  load: () => import('./import.ts').then((m) => m.importEvents),
});
