import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { EventsConsumersOptions } from './consumers.ts';
import { consumerRows } from './consumer.rows.ts';

export const eventsConsumers = defineCommand<EventsConsumersOptions>({
  path: ['events', 'consumers'],
  summary: 'Show, replay or remove the consumers of a store',
  options: {
    names: {
      type: 'list',
      positional: true,
      value: 'NAME...',
      summary: 'Names of the consumers; default: all',
    },
    replayFrom: {
      type: 'string',
      value: 'TIME',
      summary: 'Process the events again from start or from a time such as 2h, or skip to end',
      conflicts: ['remove'],
      conflictsWithWatch: true,
    },
    remove: {
      type: 'boolean',
      summary: 'Delete the consumers with their positions and dead letters, after a confirmation',
      conflictsWithWatch: true,
    },
  },
  examples: [
    { comment: 'Show how many events are waiting', command: 'ucctl events consumers' },
    {
      comment: 'Process the events of the last two hours again',
      command: 'ucctl events consumers crm --replay-from 2h',
    },
    {
      comment: 'Delete a consumer that you no longer use, without a prompt',
      command: 'ucctl events consumers old --remove --yes',
    },
  ],
  output: list(consumerRows),
  exitCodes: {
    3: 'consumer not found',
    9: 'confirmation is required',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  watch: true,
  load: () => import('./consumers.ts').then((m) => m.consumers),
});
