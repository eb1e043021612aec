import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { RetentionOptions } from './retention.ts';
import { ruleRows } from './retention.rows.ts';

export const storeRetention = defineCommand<RetentionOptions>({
  path: ['store', 'retention'],
  summary: 'Show or set how long the archive retains messages and calls',
  description:
    'Each rule names a type and an age. A rule alone deletes nothing: store expire deletes the expired data. The archive retains data of types without a rule forever.',
  details:
    'Each change of a rule adds a line to the audit log. ucctl computes ages by the clock of the database server.',
  options: {
    keep: {
      type: 'list',
      value: 'TYPE=AGE,...',
      summary:
        'Rules to set, such as SMS=2y,Call=90d; types: SMS, Pager, Fax, VoiceMail, Call; y counts as 366 days',
    },
    forever: {
      type: 'list',
      choices: ['SMS', 'Pager', 'Fax', 'VoiceMail', 'Call'],
      value: 'TYPE,...',
      summary: 'Types to retain without a limit; their retention rules are deleted',
    },
  },
  examples: [
    { comment: 'Show the rules and the expired data', command: 'ucctl store retention' },
    {
      comment: 'Retain faxes for seven years, and calls for 90 days',
      command: 'ucctl store retention --keep Fax=7y,Call=90d',
    },
  ],
  output: list(ruleRows),
  exitCodes: { 12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)' },
  load: () => import('./retention.ts').then((m) => m.retention),
});
