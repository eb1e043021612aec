import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { EventsDlqOptions } from './dlq.ts';
import { deadLetterRows } from './delivery.rows.ts';

export const eventsDlq = defineCommand<EventsDlqOptions>({
  path: ['events', 'dlq'],
  summary: 'List, redeliver or drop undelivered events',
  description:
    'An event becomes a dead letter after six failed deliveries to a target. It becomes a dead letter immediately if the target rejects the event with HTTP 4xx, except 408 and 429. ' +
    'With --consumer, --redeliver makes the events due again, and a running process of the consumer processes them.',
  options: {
    ids: { type: 'list', positional: true, value: 'ID...', summary: 'Dead letter IDs; default: all' },
    consumer: {
      type: 'string',
      value: 'NAME',
      summary: 'Show the dead letters of a consumer of the store (see ucctl events consume)',
    },
    redeliver: {
      type: 'boolean',
      summary: 'Retry the delivery of the events',
      conflicts: ['drop'],
      conflictsWithWatch: true,
    },
    drop: {
      type: 'boolean',
      summary: 'Delete the dead letters, but not the stored events, after a confirmation',
      conflictsWithWatch: true,
    },
  },
  examples: [
    { comment: 'List dead letters with the reason', command: 'ucctl events dlq' },
    { comment: 'Redeliver events after the target is back online', command: 'ucctl events dlq --redeliver' },
    {
      comment: 'Let a consumer process its dead letters again',
      command: 'ucctl events dlq --consumer crm --redeliver',
    },
    { comment: 'Delete all dead letters, without a prompt', command: 'ucctl events dlq --drop --yes' },
  ],
  output: list(deadLetterRows),
  exitCodes: {
    8: 'some events were not delivered',
    9: 'confirmation is required',
    11: 'another process is redelivering dead letters',
  },
  watch: true,
  load: () => import('./dlq.ts').then((m) => m.deadLetters),
});
