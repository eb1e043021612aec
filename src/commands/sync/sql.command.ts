import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncSqlOptions } from './sql.ts';

export const syncSql = defineCommand<SyncSqlOptions>({
  path: ['sync', 'sql'],
  summary: 'Ask the copy in SQL, for reading only',
  description:
    'The views v_message, v_thread and v_call (filled by ucctl calllog sync) stay as they are from version to version; the tables may change. The database opens read-only.',
  options: {
    statement: { type: 'string', positional: true, required: true, summary: 'One SQL statement' },
    ...copyOptions,
  },
  examples: [
    {
      comment: 'Texts per day',
      command: 'ucctl sync sql "select date(creation_time) day, count(*) n from v_message group by day"',
    },
  ],
  exitCodes: { 3: 'nothing is copied yet' },
  load: () => import('./sql.ts').then((m) => m.runSql),
});
