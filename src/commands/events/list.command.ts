import { eventNames } from '../../features/live/notification/event-kinds.ts';
import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { EventsListOptions } from './list.ts';
import { eventRows } from './event.rows.ts';

export const eventsList = defineCommand<EventsListOptions>({
  path: ['events', 'list'],
  summary: 'List received events',
  description:
    'Lists the events that ucctl webhook listen and ucctl subscribe tail received on this machine with this profile in the last 30 days. Sends no requests.',
  options: {
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      offered: eventNames,
      summary: 'Kinds or paths of events to list, e.g. messages or presence',
    },
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Show only events of these extensions: IDs, cached names and numbers, or ~ for yourself',
    },
    ...windowOptions,
    limit: {
      type: 'integer',
      short: 'L',
      min: 1,
      value: 'N',
      summary: 'Number of newest events to show; default: 100',
    },
    all: { type: 'boolean', summary: 'Show all events', conflicts: ['limit'] },
    recovered: { type: 'boolean', summary: 'Show only missed events that ucctl recovered later' },
  },
  examples: [
    { comment: 'List the events of the last hour', command: 'ucctl events list --since 1h' },
    { comment: 'List recovered events as JSON', command: 'ucctl events list --recovered -o json' },
  ],
  output: list(eventRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listEvents),
});
