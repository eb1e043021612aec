import { defineCommand } from '../../runtime/define.ts';
import type { EventsShowOptions } from './show.ts';
import { eventDetailOutput } from './event.rows.ts';

export const eventsShow = defineCommand<EventsShowOptions>({
  path: ['events', 'show'],
  summary: 'Show an event and its deliveries',
  options: {
    id: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID',
      offered: ['last'],
      summary: 'Event ID, UUID, or last for the newest event',
    },
  },
  examples: [{ comment: 'Show an event with its complete body', command: 'ucctl events show 12 -o json' }],
  output: eventDetailOutput,
  load: () => import('./show.ts').then((m) => m.showEvent),
});
