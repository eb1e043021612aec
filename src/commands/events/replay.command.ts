import { defineCommand } from '../../runtime/define.ts';
import { liveOptions } from '../../runtime/live-options.ts';
import { list } from '../../runtime/output-schema.ts';
import type { EventsReplayOptions } from './replay.ts';
import { replayRows } from './delivery.rows.ts';

export const eventsReplay = defineCommand<EventsReplayOptions>({
  path: ['events', 'replay'],
  summary: 'Resend stored events to a URL or a command',
  options: {
    ids: {
      type: 'list',
      positional: true,
      required: true,
      value: 'ID...',
      offered: ['last'],
      summary: 'Event IDs, UUIDs, or last for the newest event',
    },
    forwardTo: { type: 'string', value: 'URL', summary: 'URL to POST the events to' },
    exec: liveOptions.exec,
    edit: {
      type: 'string',
      value: 'EXPR',
      summary: 'jq expression that changes each event before it is sent',
    },
  },
  examples: [
    {
      comment: 'Send two events to your receiver',
      command: 'ucctl events replay 12 13 --forward-to http://localhost:3000/hook',
    },
    {
      comment: 'Send an event with a different extension ID',
      command: `ucctl events replay 12 --forward-to http://localhost:3000/hook --edit '.body.extensionId="42"'`,
    },
  ],
  output: list(replayRows),
  exitCodes: { 8: 'some events were not delivered' },
  load: () => import('./replay.ts').then((m) => m.replayEvents),
});
