import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { policyTestRows } from './test.rows.ts';
import type { PolicyTestOptions } from './test.ts';

export const policyTest = defineCommand<PolicyTestOptions>({
  path: ['policy', 'test'],
  summary: 'Check whether the policy allows a call or text to a number',
  description:
    'Checks a number against the policy of the profile, which you set with ucctl config set. Sends no requests.',
  details:
    'The rules are the settings allow-prefixes, forbid-prefixes, quiet-hours, max-per-hour and read-only. ' +
    'ucctl checks them before every request, including requests from ucctl api and bulk runs.',
  options: {
    number: {
      type: 'string',
      positional: true,
      required: true,
      value: 'NUMBER',
      summary: 'Phone number, in any common notation',
    },
    kind: {
      type: 'string',
      choices: ['sms', 'fax', 'ringout'],
      default: 'sms',
      value: 'KIND',
      summary: 'Type of message or call',
    },
    at: {
      type: 'string',
      value: 'TIME',
      summary: 'Time to check: ISO 8601, in the zone of --tz, or a delay such as 2h; default: now',
    },
  },
  examples: [
    {
      comment: 'Check whether a text at 3 a.m. is allowed',
      command: 'ucctl policy test +15551234567 --at 2026-01-06T03:00:00Z',
    },
  ],
  output: record(policyTestRows),
  exitCodes: { 9: 'the policy blocks the number' },
  load: () => import('./test.ts').then((m) => m.testPolicy),
});
