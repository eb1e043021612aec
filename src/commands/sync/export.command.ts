import { defineCommand } from '../../runtime/define.ts';
import type { SyncExportOptions } from './export.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import { record } from '../../runtime/output-schema.ts';
import { exportRows } from './export.rows.ts';

export const syncExport = defineCommand<SyncExportOptions>({
  path: ['sync', 'export'],
  summary: 'Export the local mailbox copy to files for other programs',
  description:
    'Writes one csv, ndjson, parquet or mbox file, or a folder of HTML pages for offline reading. ' +
    'A later export to the same target writes only the changes. ' +
    'Calls are not exported; ucctl sync sql writes them. --only selects messages and has the same syntax as ucctl sync search.',
  details:
    'ndjson files contain the records as the service returned them, parquet files have typed columns, and mail programs open ' +
    'mbox files. ucctl appends changes to a file, so the last line for an ID contains the current state. ' +
    'Messages that are removed from the local mailbox copy stay in the file until --fresh rewrites the file.',
  options: {
    format: {
      type: 'string',
      choices: ['csv', 'ndjson', 'parquet', 'html', 'mbox'],
      summary: 'Type of the file; default: the extension of the target',
    },
    to: { type: 'string', required: true, value: 'PATH', summary: 'Target file, or target folder for html' },
    only: {
      type: 'list',
      commas: false,
      value: 'SEARCH',
      summary: 'Search that selects messages, e.g. type:sms or after:7d; see ucctl sync search',
    },
    fresh: {
      type: 'boolean',
      summary: 'Replace the target, also a file with other content, with a full export',
    },
    ...copyOptions,
  },
  examples: [
    { comment: 'Export pages for a browser', command: 'ucctl sync export --format html --to archive' },
    {
      comment: 'Append new messages every night',
      command: 'ucctl sync && ucctl sync export --to messages.ndjson',
    },
    {
      comment: 'Export the messages with one number since January 2026',
      command: "ucctl sync export --to year.parquet --only 'with:+15555550100 after:2026-01-01'",
    },
  ],
  output: record(exportRows),
  exitCodes: {
    3: 'no local mailbox copy',
    11: 'another process is exporting to the target, or the target contains an export with a different --only search',
    12: 'ucctl cannot write the files',
  },
  load: () => import('./export.ts').then((m) => m.exportCopy),
});
