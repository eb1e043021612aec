import { defineCommand } from '../../runtime/define.ts';
import { liveOptions } from '../../runtime/live-options.ts';
import { serviceOptions } from '../../runtime/service-options.ts';
import { lines } from '../../runtime/output-schema.ts';
import type { EventsConsumeOptions } from './consume.ts';
import { consumedRows } from './consumer.rows.ts';

export const eventsConsume = defineCommand<EventsConsumeOptions>({
  path: ['events', 'consume'],
  summary: 'Process the events of a store until Ctrl-C',
  description:
    'Processes with the same consumer name share the events: each event goes to one process, and the events of an extension are processed in order. ' +
    'ucctl retries a failed event after 1, 2, 4 s and so on; after --attempts failures, the event becomes a dead letter (see ucctl events dlq --consumer). ' +
    'If a process is lost, another process takes over when the lease ends.',
  details:
    'Each event is delivered at least once. UCCTL_EVENT_ID (header ucctl-event-id) is the same in every attempt. ' +
    'To process an event exactly once, call the function event_done(UCCTL_CONSUMER, UCCTL_DELIVERY, UCCTL_FENCE) of the store in the transaction of your data, and roll back if it returns false. ' +
    'For URLs, these values are the headers ucctl-consumer, ucctl-delivery and ucctl-fence.\n\n' +
    'With --to, JetStream acknowledges each event, and the stream contains each event once. While NATS is not available, events wait and do not become dead letters. An event that is larger than the server accepts becomes a dead letter immediately.',
  timesWarnings: true,
  options: {
    name: {
      type: 'string',
      positional: true,
      required: true,
      value: 'NAME',
      summary: 'Name of the consumer; the store records its position',
    },
    exec: liveOptions.exec,
    forwardTo: {
      type: 'string',
      value: '[EVENT=]URL',
      summary: 'URL to POST each event to',
      conflicts: ['exec'],
    },
    to: {
      type: 'string',
      value: 'URL',
      summary: 'JetStream stream to copy each event to: nats://HOST:PORT/STREAM',
      conflicts: ['exec', 'forwardTo'],
    },
    from: {
      type: 'string',
      value: 'TIME',
      summary: 'First event of a new consumer: start, end (default), or a time such as 2h or 2026-01-05',
    },
    receiver: {
      type: 'string',
      value: 'NAME',
      summary: 'Process only events of this receiver; default: all receivers',
    },
    concurrency: {
      type: 'integer',
      min: 1,
      max: 64,
      value: 'N',
      default: 4,
      summary: 'Number of events to process at the same time, at most one per extension',
    },
    attempts: {
      type: 'integer',
      min: 1,
      max: 100,
      value: 'N',
      default: 6,
      advanced: true,
      summary: 'Number of failures after which an event becomes a dead letter',
    },
    lease: {
      type: 'duration',
      advanced: true,
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 600,
      default: 8,
      summary: 'Time after which another process takes over the events of a lost process',
    },
    once: { type: 'boolean', summary: 'Exit when no event is due' },
    all: { type: 'boolean', summary: 'Also show successfully processed events' },
    ...serviceOptions,
  },
  examples: [
    {
      comment: 'Run a command for each event, on any number of machines',
      command: "ucctl events consume crm --exec './import-event'",
    },
    {
      comment: 'Forward all stored and new events to a URL',
      command: 'ucctl events consume crm --from start --forward-to http://localhost:3000/in',
    },
  ],
  output: lines(consumedRows),
  exitCodes: {
    0: 'stopped by Ctrl-C, or with --once no event is due',
    11: 'the consumer exists with another receiver, or the stream would lose or duplicate events',
    12: 'ucctl cannot use the store or NATS, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./consume.ts').then((m) => m.consumeEvents),
});
