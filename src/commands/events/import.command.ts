import { defineCommand } from '../../runtime/define.ts';
import type { EventsImportOptions } from './import.ts';

export const eventsImport = defineCommand<EventsImportOptions>({
  path: ['events', 'import'],
  summary: 'Add events from a file to the inbox',
  description:
    'An event of an export keeps its time, its receiver and how it came; other notifications get the time of the import. Known ones are not added again, and no listener shows or hands on what was imported.',
  options: {
    file: {
      type: 'string',
      positional: true,
      required: true,
      value: 'FILE|-',
      summary: 'One event a line, as events export writes them; - for standard input',
    },
  },
  examples: [{ comment: 'From another machine', command: 'ucctl events import events.ndjson' }],
  jsonFields: ['added', 'known'],
  load: () => import('./import.ts').then((m) => m.importEvents),
});
