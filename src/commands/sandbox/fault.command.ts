import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { SandboxFaultOptions } from './fault.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { faultRows } from './fault.rows.ts';

export const sandboxFault = defineCommand<SandboxFaultOptions>({
  path: ['sandbox', 'fault'],
  summary: 'List, add or clear faults for requests, notifications and WebSockets',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['list', 'add', 'clear'],
      default: 'list',
      summary: 'Action',
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
        'socket-drop',
        'socket-delay',
        'socket-split',
        'socket-duplicate',
        'socket-idle',
        'socket-absolute',
        'socket-no-pong',
        'socket-no-recovery',
        'socket-reject',
      ],
      summary: 'Kind of fault',
    },
    operation: {
      type: 'string',
      summary: 'ID of the operation that fails, as in /openapi.json; default: all operations',
    },
    extension: {
      type: 'string',
      value: 'EXT',
      summary: 'User or mailbox in the path of the requests that fail, such as 102; default: all',
    },
    status: {
      type: 'integer',
      min: 400,
      max: 599,
      summary: 'HTTP status to return (kinds status, socket-reject); default: 503',
    },
    milliseconds: {
      type: 'integer',
      min: 0,
      max: 600_000,
      summary: 'Delay (kinds latency, webhook-delay, socket-delay) or maximum wait (webhook-reorder)',
    },
    retryAfter: {
      type: 'integer',
      value: 'N',
      min: 0,
      max: 3600,
      summary: 'Header Retry-After in seconds (kind status); default for status 429: 60',
    },
    after: {
      type: 'integer',
      min: 0,
      default: 0,
      summary: 'Number of matching requests that succeed before the first failure',
    },
    times: { type: 'integer', min: 0, default: 1, summary: 'Number of requests that fail; 0 for all' },
    percent: {
      type: 'integer',
      min: 1,
      max: 100,
      default: 100,
      summary: 'Percentage of matching requests that fail; the seed determines which requests fail',
    },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Drop the reply of the third request that sends a text',
      command: 'ucctl sandbox fault add reset-after --operation sendSms --after 2',
    },
    {
      comment: 'Reject the next two texts with 429, and let the client wait for one second',
      command: 'ucctl sandbox fault add status --operation sendSms --status 429 --retry-after 1 --times 2',
    },
    {
      comment: 'Reject every sync of the mailbox of extension 102',
      command: 'ucctl sandbox fault add status --operation syncMessages --extension 102 --times 0',
    },
    {
      comment: 'Deliver every notification twice',
      command: 'ucctl sandbox fault add webhook-duplicate --times 0',
    },
    { comment: 'Remove all faults', command: 'ucctl sandbox fault clear' },
  ],
  output: list(faultRows),
  exitCodes: notRunning,
  load: () => import('./fault.ts').then((m) => m.sandboxFaultCommand),
});
