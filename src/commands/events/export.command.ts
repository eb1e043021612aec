import { defineCommand } from '../../runtime/define.ts';
import { lines } from '../../runtime/output-schema.ts';
import type { EventsExportOptions } from './export.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { eventRows } from './event.rows.ts';

export const eventsExport = defineCommand<EventsExportOptions>({
  path: ['events', 'export'],
  summary: 'Export stored events, one per line',
  options: { ...windowOptions },
  examples: [{ comment: 'Export to a file', command: 'ucctl events export > events.ndjson' }],
  output: lines(eventRows),
  load: () => import('./export.ts').then((m) => m.exportEvents),
});
