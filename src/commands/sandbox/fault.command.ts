import { defineCommand } from '../../runtime/define.ts';
import type { SandboxFaultOptions } from './fault.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxFault = defineCommand<SandboxFaultOptions>({
  path: ['sandbox', 'fault'],
  summary: 'Make requests or notifications of a sandbox fail, by a rule',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['list', 'add', 'clear'],
      default: 'list',
      summary: 'What to do',
    },
    kind: {
      type: 'string',
      positional: true,
      choices: [
        'status',
        'latency',
        'reset-before',
        'reset-after',
        'cut-body',
        'bad-json',
        'expired-token',
        'invalid-sync-token',
        'renew-changes',
        'webhook-duplicate',
        'webhook-drop',
        'webhook-delay',
        'webhook-reorder',
      ],
      summary: 'What goes wrong',
    },
    operation: { type: 'string', summary: 'Only this operation, by its id in /openapi.json' },
    status: { type: 'integer', min: 400, max: 599, summary: 'For status: the HTTP status; 503 without it' },
    milliseconds: { type: 'integer', min: 0, max: 600_000, summary: 'For latency and webhook-delay' },
    after: { type: 'integer', min: 0, default: 0, summary: 'So many pass first' },
    times: { type: 'integer', min: 0, default: 1, summary: 'So many are hit; 0 for all' },
    percent: { type: 'integer', min: 1, max: 100, default: 100, summary: 'Share that is hit, by the seed' },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'The third request to send a text loses its answer',
      command: 'ucctl sandbox fault add reset-after --operation sendSms --after 2',
    },
    {
      comment: 'Every notification comes twice',
      command: 'ucctl sandbox fault add webhook-duplicate --times 0',
    },
    { comment: 'All well again', command: 'ucctl sandbox fault clear' },
  ],
  jsonFields: ['id', 'kind', 'operation', 'after', 'times', 'probability', 'seen', 'hits'],
  exitCodes: notRunning,
  load: () => import('./fault.ts').then((m) => m.sandboxFaultCommand),
});
