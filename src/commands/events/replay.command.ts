import { defineCommand } from '../../runtime/define.ts';
import type { EventsReplayOptions } from './replay.ts';

export const eventsReplay = defineCommand<EventsReplayOptions>({
  path: ['events', 'replay'],
  summary: 'Hand stored events over again',
  options: {
    ids: {
      type: 'list',
      positional: true,
      required: true,
      value: 'ID...',
      summary: 'Ids of the list, uuids, or last',
    },
    to: { type: 'string', value: 'URL', summary: 'POST them there' },
    exec: {
      type: 'string',
      value: 'COMMAND',
      summary: 'Run it in the shell, with the event on standard input',
    },
    edit: { type: 'string', value: 'EXPR', summary: 'Change each event by this jq expression first' },
  },
  examples: [
    { comment: 'To your own code', command: 'ucctl events replay 12 13 --to http://localhost:3000/hook' },
    {
      comment: 'As if it had happened to another extension',
      command: `ucctl events replay 12 --to http://localhost:3000/hook --edit '.body.extensionId="42"'`,
    },
  ],
  jsonFields: ['id', 'uuid', 'target', 'status', 'problem'],
  exitCodes: { 8: 'some were taken, some were not' },
  load: () => import('./replay.ts').then((m) => m.replayEvents),
});
