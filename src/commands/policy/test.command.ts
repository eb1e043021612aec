import { defineCommand } from '../../runtime/define.ts';
import type { PolicyTestOptions } from './test.ts';

export const policyTest = defineCommand<PolicyTestOptions>({
  path: ['policy', 'test'],
  summary: 'Say whether the policy lets a number be called or texted now; sends nothing',
  description:
    'The rules are settings of the profile: allow-prefixes, forbid-prefixes, quiet-hours, max-per-hour, read-only (ucctl config set). They are ' +
    'checked before every request, also those of ucctl api and of bulk runs.',
  options: {
    number: {
      type: 'string',
      positional: true,
      required: true,
      value: 'NUMBER',
      summary: 'As people write it',
    },
    kind: {
      type: 'string',
      choices: ['sms', 'fax', 'ringout'],
      default: 'sms',
      value: 'WHAT',
      summary: 'sms, fax or ringout',
    },
    at: { type: 'string', value: 'TIME', summary: 'At another time than now, ISO 8601' },
  },
  examples: [
    {
      comment: 'In the middle of the night',
      command: 'ucctl policy test +15551234567 --at 2026-01-06T03:00:00Z',
    },
  ],
  jsonFields: ['number', 'kind', 'allowed', 'reason'],
  exitCodes: { 9: 'the policy forbids it' },
  load: () => import('./test.ts').then((m) => m.testPolicy),
});
