import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxStartOptions } from './start.ts';
import { clockDetails, clockOption, fixtureOption, seedOption } from './options.command.ts';
import { readyRows } from './sandbox.rows.ts';

export const sandboxStart = defineCommand<SandboxStartOptions>({
  path: ['sandbox', 'start'],
  summary: 'Start a local sandbox of the service',
  description:
    'Serves the same API as the service, with a sample office: an administrator, users, call queues and numbers. ' +
    'In another terminal, `ucctl sandbox env` prints the environment variables that connect ucctl to the sandbox. Nothing leaves this machine except notifications to the webhook addresses of subscriptions.',
  details:
    'Open the address in a browser to see phones, messages, events, clock and faults.\n\n' +
    '`--dialect current` serves the paths and limits of current services.\n\n' +
    '`ucctl sandbox snapshot save NAME` on a sandbox started with `--db FILE` writes FILE.snapshots/NAME.snapshot.db. Pass this file to `--snapshot`.\n\n' +
    clockDetails,
  options: {
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      summary: 'Local port to listen on; 0 for any free port',
    },
    db: {
      type: 'string',
      value: 'FILE',
      default: ':memory:',
      summary: 'Database file; :memory: discards the state on exit',
      writes: 'sandbox.db',
    },
    seed: seedOption,
    readyFile: {
      type: 'string',
      value: 'FILE',
      summary:
        'JSON file with address and credentials, which ucctl deletes first and writes when the sandbox is ready',
      writes: 'ready.json',
    },
    fixture: fixtureOption,
    snapshot: {
      type: 'string',
      value: 'FILE',
      summary: 'Saved state for a new database, including its clock time',
    },
    clock: clockOption,
    rateLimits: {
      type: 'string',
      choices: ['realistic', 'off'],
      default: 'realistic',
      summary: "Apply the service's rate limits, measured by the system clock",
    },
    host: { type: 'string', default: '127.0.0.1', summary: 'Address to listen on' },
    tls: {
      type: 'boolean',
      summary: 'Serve HTTPS; the ready file names the CA certificate',
    },
    mediaPort: {
      type: 'integer',
      min: 0,
      max: 65_535,
      summary: 'Second port for message content; 0 for any free port',
    },
    publicUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Base address of links in replies, for clients in other containers',
      conflicts: ['mediaPort'],
    },
    redirectUri: { type: 'list', value: 'URI', summary: 'Additional redirect URI to register' },
    open: { type: 'boolean', summary: 'Show the page of the sandbox in the browser' },
  },
  examples: [
    { comment: 'Start a temporary sandbox', command: 'ucctl sandbox start' },
    {
      comment: 'Use the phones and messages of a sandbox in the browser',
      command: 'ucctl sandbox start --open',
    },
    { comment: 'Store the state in a file', command: 'ucctl sandbox start --db office.db' },
    {
      comment: 'Start from a saved state',
      command: 'ucctl sandbox start --snapshot office.db.snapshots/before.snapshot.db',
    },
    {
      comment: 'Serve the paths and limits of current services',
      command: 'ucctl sandbox start --dialect current',
    },
    { comment: 'Run the clock at 60 times normal speed', command: 'ucctl sandbox start --clock 60x' },
    {
      comment: 'Start the sandbox from a script',
      command: 'ucctl sandbox start --port 0 --ready-file ready.json -o json',
    },
  ],
  output: record(readyRows),
  exitCodes: { 12: 'the port or the database is in use, or ucctl cannot read or write a file' },
  load: () => import('./start.ts').then((m) => m.startSandboxCommand),
});
