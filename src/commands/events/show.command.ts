import { defineCommand } from '../../runtime/define.ts';
import { eventFields } from './fields.command.ts';
import type { EventsShowOptions } from './show.ts';

export const eventsShow = defineCommand<EventsShowOptions>({
  path: ['events', 'show'],
  summary: 'Show one event, and where it was handed on to',
  options: {
    id: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID',
      summary: 'Id of the list, uuid, or last',
    },
  },
  examples: [{ comment: 'With its whole body', command: 'ucctl events show 12 -o json' }],
  jsonFields: [...eventFields, 'deliveries'],
  load: () => import('./show.ts').then((m) => m.showEvent),
});
