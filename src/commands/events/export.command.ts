import { defineCommand } from '../../runtime/define.ts';
import type { EventsExportOptions } from './export.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { eventFields } from './fields.command.ts';

export const eventsExport = defineCommand<EventsExportOptions>({
  path: ['events', 'export'],
  summary: 'Write every stored event, one a line',
  options: { ...windowOptions },
  examples: [{ comment: 'Into a file', command: 'ucctl events export > events.ndjson' }],
  jsonFields: eventFields,
  load: () => import('./export.ts').then((m) => m.exportEvents),
});
