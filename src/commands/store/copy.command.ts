import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { StoreCopyOptions } from './copy.ts';
import { copyRows } from './copy.rows.ts';

export const storeCopy = defineCommand<StoreCopyOptions>({
  path: ['store', 'copy'],
  summary: 'Copy a local mailbox copy into the store',
  description:
    'Copies messages, older versions, attachments, calls, sync tokens and erased numbers from an SQLite file. ' +
    'ucctl copies each mailbox in one transaction and compares checksums before the commit.',
  details:
    'After an interruption, run the same command again; ucctl skips data that is already copied. The next sync with --store continues ' +
    'with the sync tokens of the file. ucctl does not copy export positions, data of numbers that are erased in the store, and data ' +
    'that a retention rule of the store has deleted.',
  options: {
    from: {
      type: 'string',
      value: 'FILE',
      required: true,
      summary: 'SQLite file with the local mailbox copy; ucctl sync status shows its path',
    },
  },
  examples: [{ comment: 'Copy an archive to PostgreSQL', command: 'ucctl store copy --from mailbox.sqlite' }],
  output: list(copyRows),
  exitCodes: {
    3: 'the file does not exist',
    11: 'the store contains different data for a mailbox in the file, or data of another account',
    12: 'ucctl cannot use the store or the file',
  },
  load: () => import('./copy.ts').then((m) => m.copyToStore),
});
