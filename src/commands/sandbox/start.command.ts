import { defineCommand } from '../../runtime/define.ts';
import type { SandboxStartOptions } from './start.ts';

export const sandboxStart = defineCommand<SandboxStartOptions>({
  path: ['sandbox', 'start'],
  summary: 'Run the service locally until Ctrl-C',
  description:
    'Serves the same interface as the service, with a small office to try things on: an administrator, users, call queues, numbers. ' +
    'Nothing leaves this machine except notifications to the webhook addresses that you subscribe. In another terminal, `ucctl sandbox env` prints ' +
    'the settings that point ucctl at it.',
  options: {
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      summary: 'Port to listen on; 0 takes a free one',
    },
    db: {
      type: 'string',
      value: 'FILE',
      default: ':memory:',
      summary: 'Where its state lives; a file carries on where it stopped, :memory: starts anew',
    },
    seed: { type: 'integer', min: 0, default: 42, summary: 'Seed of its ids and tokens' },
    readyFile: {
      type: 'string',
      value: 'FILE',
      summary: 'Write a JSON file with address and sign-ins when it answers',
    },
    redirectUri: { type: 'list', value: 'URI', summary: 'A further redirect address to register' },
  },
  examples: [
    { comment: 'Try things out', command: 'ucctl sandbox start' },
    { comment: 'Keep its state', command: 'ucctl sandbox start --db office.db' },
    { comment: 'For a script', command: 'ucctl sandbox start --port 0 --ready-file ready.json -o json' },
  ],
  jsonFields: [
    'url',
    'pid',
    'clientId',
    'clientSecret',
    'redirectUris',
    'users',
    'apps',
    'accountId',
    'mainNumber',
    'brandId',
    'partnerAccountId',
    'queues',
    'groups',
  ],
  exitCodes: { 12: 'the port is taken, or a file cannot be used' },
  load: () => import('./start.ts').then((m) => m.startSandboxCommand),
});
