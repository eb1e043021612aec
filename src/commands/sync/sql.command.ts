import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import { anything, list, mapOf } from '../../runtime/output-schema.ts';
import type { SyncSqlOptions } from './sql.ts';

export const syncSql = defineCommand<SyncSqlOptions>({
  path: ['sync', 'sql'],
  summary: 'Query the local mailbox copy with SQL, read-only',
  description:
    'The columns of the views v_message, v_thread and v_call are stable; tables may change between versions. ' +
    'ucctl calllog sync fills v_call. ucctl opens the database read-only.',
  options: {
    statement: {
      type: 'string',
      positional: true,
      required: true,
      summary: 'One read-only SQL statement',
    },
    ...copyOptions,
  },
  examples: [
    {
      comment: 'Count messages per day',
      command: 'ucctl sync sql "select date(creation_time) day, count(*) n from v_message group by day"',
    },
  ],
  output: list(mapOf(anything)),
  exitCodes: { 3: 'no local mailbox copy' },
  load: () => import('./sql.ts').then((m) => m.runSql),
});
