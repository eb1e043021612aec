import { defineCommand } from '../../runtime/define.ts';
import type { SandboxStartOptions } from './start.ts';

export const sandboxStart = defineCommand<SandboxStartOptions>({
  path: ['sandbox', 'start'],
  summary: 'Run the service locally until Ctrl-C',
  description:
    'Serves the same interface as the service, with a small office to try things on: an administrator, users, call queues, numbers. ' +
    'Nothing leaves this machine except notifications to the webhook addresses that you subscribe. In another terminal, `ucctl sandbox env` prints ' +
    'the settings that point ucctl at it. `--dialect current` serves the paths and limits that services have today. ' +
    '`ucctl sandbox snapshot save NAME` on a sandbox with `--db FILE` writes FILE.snapshots/NAME.snapshot.db, which `--snapshot` takes.',
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
    fixture: {
      type: 'string',
      value: 'NAME',
      summary: 'What a new database holds: small-office, call-center or enterprise',
    },
    snapshot: {
      type: 'string',
      value: 'FILE',
      summary: 'Saved state that a new database starts from, with its time, instead of a fixture',
    },
    clock: {
      type: 'string',
      value: 'real|frozen|60x',
      default: 'real',
      summary: "The machine's time, none that passes by itself, or one so many times as fast",
    },
    rateLimits: {
      type: 'string',
      choices: ['realistic', 'off'],
      default: 'realistic',
      summary: "Requests a minute as the service publishes them, always by the machine's clock",
    },
    host: { type: 'string', default: '127.0.0.1', summary: 'Address to listen on' },
    tls: {
      type: 'boolean',
      summary: 'Serve https with a certificate of a local authority; the ready file names its file',
    },
    mediaPort: {
      type: 'integer',
      min: 0,
      max: 65_535,
      summary: 'Serve content addresses on a second port; 0 takes a free one',
    },
    redirectUri: { type: 'list', value: 'URI', summary: 'A further redirect address to register' },
  },
  examples: [
    { comment: 'Try things out', command: 'ucctl sandbox start' },
    { comment: 'Keep its state', command: 'ucctl sandbox start --db office.db' },
    {
      comment: 'From a saved state',
      command: 'ucctl sandbox start --snapshot office.db.snapshots/before.snapshot.db',
    },
    { comment: 'As services are today', command: 'ucctl sandbox start --dialect current' },
    { comment: 'A minute a second', command: 'ucctl sandbox start --clock 60x' },
    { comment: 'For a script', command: 'ucctl sandbox start --port 0 --ready-file ready.json -o json' },
  ],
  jsonFields: [
    'url',
    'mediaUrl',
    'ca',
    'dialect',
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
  exitCodes: { 12: 'the port is taken, or a file cannot be used or is in use' },
  load: () => import('./start.ts').then((m) => m.startSandboxCommand),
});
