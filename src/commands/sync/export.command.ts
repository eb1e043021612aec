import { defineCommand } from '../../runtime/define.ts';
import type { SyncExportOptions } from './export.ts';
import { copyOptions } from '../../runtime/copy-options.ts';

export const syncExport = defineCommand<SyncExportOptions>({
  path: ['sync', 'export'],
  summary: 'Write the copied messages into files for other programs',
  description:
    'csv, ndjson (the records as the service gives them), parquet (typed columns) and mbox (for mail programs) are one file; html is a folder of threads that opens without a network. ' +
    'Exporting to the same place again adds only what changed: in the one-file formats after what is there, so the last line about an id counts. ' +
    'What was removed from the copy stays in those files until --fresh writes them anew. --only narrows it in the words of sync search.',
  options: {
    format: {
      type: 'string',
      required: true,
      choices: ['csv', 'ndjson', 'parquet', 'html', 'mbox'],
      summary: 'csv, ndjson, parquet, html or mbox',
    },
    to: { type: 'string', required: true, value: 'PATH', summary: 'The file, or for html the folder' },
    only: {
      type: 'list',
      commas: false,
      value: 'SEARCH',
      summary: 'Only what this finds, as in sync search: type: from: to: after: before: is:in, words',
    },
    fresh: { type: 'boolean', summary: 'Write everything anew' },
    ...copyOptions,
  },
  examples: [
    { comment: 'Threads to read in a browser', command: 'ucctl sync export --format html --to archive' },
    {
      comment: 'What is new, every night',
      command: 'ucctl sync && ucctl sync export --format ndjson --to messages.ndjson',
    },
    {
      comment: 'One number, this year, for analysis',
      command:
        "ucctl sync export --format parquet --to year.parquet --only 'with:+15555550100 after:2026-01-01'",
    },
  ],
  jsonFields: ['target', 'format', 'messages', 'incremental'],
  exitCodes: {
    3: 'nothing is copied yet',
    11: 'the target holds another selection',
    12: 'the files cannot be written',
  },
  load: () => import('./export.ts').then((m) => m.exportCopy),
});
