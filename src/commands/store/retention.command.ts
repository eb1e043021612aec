import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { RetentionOptions } from './retention.ts';
import { ruleRows } from './retention.rows.ts';

export const storeRetention = defineCommand<RetentionOptions>({
  path: ['store', 'retention'],
  summary: 'Show or set how long the archive keeps messages and calls',
  description:
    'Each rule names a type and an age. A rule deletes nothing itself: store expire deletes what the rules no longer keep. ' +
    'Types without a rule are kept forever.',
  details: 'Each change of a rule adds a line to the audit log. The clock of the database decides.',
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
      summary: 'Types to keep without a limit; removes their rules',
    },
  },
  examples: [
    { comment: 'Show the rules, and what they no longer keep', command: 'ucctl store retention' },
    {
      comment: 'Keep faxes for seven years, and calls for 90 days',
      command: 'ucctl store retention --keep Fax=7y,Call=90d',
    },
  ],
  output: list(ruleRows),
  exitCodes: { 12: 'the store is not usable, or needs store migrate' },
  load: () => import('./retention.ts').then((m) => m.retention),
});
