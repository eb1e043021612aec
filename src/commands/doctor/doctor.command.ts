import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { DoctorOptions } from './doctor.ts';
import { findingRows } from './finding.rows.ts';

export const doctorCommand = defineCommand<DoctorOptions>({
  path: ['doctor'],
  summary: 'Check configuration, network and sign-in, and suggest fixes',
  description:
    'Checks everything that commands depend on. The result of each check is ok, warn or fail; for warn and fail, doctor suggests a fix. ' +
    'The command changes nothing on the service.',
  details:
    'The checks cover settings, folders, proxy, base URL, clock, TLS certificate, media hosts, keychain, session, a webhook handshake with this machine, and the local databases. Another check compares the permissions of the session with the permissions that commands need.\n\n' +
    'As with any command, ucctl renews a session that is about to expire.\n\n' +
    'With --report FILE, doctor runs no checks and writes data for a bug report to FILE. For this file, ucctl sends 30 to 50 GET requests within the rate limits, each for the smallest page. The file contains paths with placeholders, statuses, error codes, and the names and JSON types ' +
    'of members, compared with the contract. It contains no names, numbers, texts, IDs or tokens. If a request fails, ucctl records ' +
    'the failure in the file and continues. Read the file before you send it.',
  options: {
    publicUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Public address for the webhook handshake; must forward to --port',
    },
    port: {
      type: 'integer',
      min: 1,
      max: 65_535,
      value: 'PORT',
      summary: 'Local port for the webhook handshake; by default any free port',
    },
    report: {
      type: 'string',
      value: 'FILE',
      summary: "File for a description of the service's replies, without values; - for stdout",
      writes: 'report.md',
      orStdout: true,
      conflicts: ['publicUrl', 'port'],
    },
  },
  examples: [
    { comment: 'Run all checks', command: 'ucctl doctor' },
    {
      comment: 'Check a tunnel for webhooks',
      command: 'ucctl doctor --public-url https://hooks.example.com --port 8080',
    },
    {
      comment: "Describe the service's replies for a bug report",
      command: 'ucctl doctor --report report.md',
    },
    { comment: 'Write the results as JSON for a monitoring system', command: 'ucctl doctor -o json' },
  ],
  rateGroup: 'Light',
  output: list(findingRows),
  exitCodes: { 1: 'a check failed' },
  load: async () => (await import('./doctor.ts')).doctor,
});
