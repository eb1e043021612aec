import { defineCommand } from '../../runtime/define.ts';
import type { EventsDlqOptions } from './dlq.ts';

export const eventsDlq = defineCommand<EventsDlqOptions>({
  path: ['events', 'dlq'],
  summary: 'Dead letters: events that a target did not take',
  description: 'An event is given up after six tries, or at once when the target refuses it (HTTP 4xx).',
  options: {
    ids: { type: 'list', positional: true, value: 'ID...', summary: 'Only these; all by default' },
    again: { type: 'boolean', summary: 'Hand them over again, once', conflicts: ['drop'] },
    drop: { type: 'boolean', summary: 'Forget them; the events stay in the inbox' },
  },
  examples: [
    { comment: 'What was given up, and why', command: 'ucctl events dlq' },
    { comment: 'Once the target works again', command: 'ucctl events dlq --again' },
  ],
  jsonFields: ['id', 'eventId', 'target', 'attempts', 'problem', 'status'],
  exitCodes: { 8: 'some were taken, some were not' },
  load: () => import('./dlq.ts').then((m) => m.deadLetters),
});
