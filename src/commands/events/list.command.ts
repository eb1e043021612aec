import { defineCommand } from '../../runtime/define.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { eventFields } from './fields.command.ts';
import type { EventsListOptions } from './list.ts';

export const eventsList = defineCommand<EventsListOptions>({
  path: ['events', 'list'],
  summary: 'List events that were received',
  description:
    'Everything that webhook listen and subscribe tail have accepted on this machine with this profile, for 30 days. Nothing is asked of the service.',
  options: {
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      summary: 'Only these, e.g. messages or presence; or paths',
    },
    extension: { type: 'list', value: 'ID,...', summary: 'Only of extensions with these ids' },
    ...windowOptions,
    limit: { type: 'integer', short: 'L', min: 1, value: 'N', summary: 'The newest so many; 100' },
    all: { type: 'boolean', summary: 'As many as there are', conflicts: ['limit'] },
    recovered: { type: 'boolean', summary: 'Only what was missed and found afterwards' },
  },
  examples: [
    { comment: 'The last hour', command: 'ucctl events list --since 1h' },
    { comment: 'What had been missed', command: 'ucctl events list --recovered -o json' },
  ],
  jsonFields: eventFields,
  watch: true,
  load: () => import('./list.ts').then((m) => m.listEvents),
});
