import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { EventsDlqOptions } from './dlq.ts';
import { deadLetterRows } from './delivery.rows.ts';

export const eventsDlq = defineCommand<EventsDlqOptions>({
  path: ['events', 'dlq'],
  summary: 'List, redeliver or drop undelivered events',
  description:
    'An event becomes a dead letter after six failed deliveries to a target, or immediately if the target rejects it (HTTP 4xx except 408 and 429).',
  options: {
    ids: { type: 'list', positional: true, value: 'ID...', summary: 'Dead letter IDs; default: all' },
    redeliver: { type: 'boolean', summary: 'Deliver each event again', conflicts: ['drop'] },
    drop: { type: 'boolean', summary: 'Delete the dead letters; the events stay stored' },
  },
  examples: [
    { comment: 'List dead letters with the reason', command: 'ucctl events dlq' },
    { comment: 'Redeliver events when the target works again', command: 'ucctl events dlq --redeliver' },
  ],
  output: list(deadLetterRows),
  exitCodes: { 8: 'some events were not delivered' },
  load: () => import('./dlq.ts').then((m) => m.deadLetters),
});
