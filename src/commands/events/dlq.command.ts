import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { EventsDlqOptions } from './dlq.ts';
import { deadLetterRows } from './delivery.rows.ts';

export const eventsDlq = defineCommand<EventsDlqOptions>({
  path: ['events', 'dlq'],
  summary: 'List, redeliver or drop events that could not be delivered',
  description:
    'An event becomes a dead letter after six failed deliveries to a target, or immediately when the target rejects it (HTTP 4xx other than 408 and 429).',
  options: {
    ids: { type: 'list', positional: true, value: 'ID...', summary: 'Dead letter ids; default: all' },
    redeliver: { type: 'boolean', summary: 'Deliver each event once more', conflicts: ['drop'] },
    drop: { type: 'boolean', summary: 'Delete the dead letters; the events stay stored' },
  },
  examples: [
    { comment: 'List dead letters with the reason', command: 'ucctl events dlq' },
    { comment: 'Deliver again once the target works', command: 'ucctl events dlq --redeliver' },
  ],
  output: list(deadLetterRows),
  exitCodes: { 8: 'some events were delivered, others were not' },
  load: () => import('./dlq.ts').then((m) => m.deadLetters),
});
