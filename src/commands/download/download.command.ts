import { dryRunOption } from '../../runtime/dry-run-option.ts';
import { parentsOption } from '../../runtime/parents-option.ts';
import { defineCommand } from '../../runtime/define.ts';
import { bulkOptions } from '../../runtime/bulk-options.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { NounSpec } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { DownloadOptions } from './download-options.ts';
import { downloadRows } from './download.rows.ts';

const downloadCommand = defineCommand<DownloadOptions>({
  path: ['download'],
  summary: 'Download recordings, voicemails, faxes and attachments',
  description:
    'A file gets its final name only when it is complete. ' +
    'With --continue, an interrupted download resumes where it stopped if the content has not changed. ' +
    'ucctl sends the access token only to the service and to the hosts in the media-hosts setting.',
  details:
    'File names are valid on every operating system. ' +
    'Fields of --name-template: {kind} {id} {date} {time} {from} {to} {direction} {session} {ext}. ' +
    '{date} and {time} are in the zone of --tz (default: the setting tz, else UTC), so use the same zone in each run: ucctl finds existing files by their names. ' +
    'If a command selects several items, ucctl adds the ID to file names without {id}, so that each item always gets the same name.',
  options: {
    messages: {
      type: 'list',
      positional: true,
      value: 'MESSAGE',
      requiredUnless: ['recording', 'uri', 'file', 'recordings', 'voicemail', 'fax'],
      summary: 'IDs of messages with attachments to download',
    },
    recording: { type: 'list', value: 'ID,...', summary: 'IDs of call recordings (ucctl calllog list)' },
    uri: {
      type: 'list',
      commas: false,
      value: 'ADDRESS',
      summary: 'Content URI from the service, e.g. of a greeting or a profile image',
    },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      summary:
        'CSV file or .xlsx workbook with a uri, recording or message column, or a list of messages; - for standard input',
    },
    sheet: bulkOptions.sheet,
    recordings: {
      type: 'boolean',
      summary: 'Download all recordings of the account in the time range; with --extension ~, only your own',
    },
    voicemail: { type: 'boolean', summary: 'Download all voicemails in the time range' },
    fax: { type: 'boolean', summary: 'Download all faxes in the time range' },
    extension: {
      type: 'string',
      short: 'e',
      value: 'EXT',
      summary: 'Owner of the mailbox or call log to read; ~ is your own extension',
    },
    ...windowOptions,
    since: {
      ...windowOptions.since,
      summary: `${windowOptions.since.summary}; default: the oldest item that the service stores`,
    },
    dir: {
      type: 'string',
      short: 'd',
      value: 'FOLDER',
      default: '.',
      summary: 'Target folder; created if it does not exist',
    },
    parents: parentsOption,
    dryRun: dryRunOption,
    nameTemplate: {
      type: 'string',
      value: 'TEXT',
      summary: 'Pattern of the file names; default {kind}-{id}.{ext}',
    },
    skipExisting: {
      type: 'boolean',
      summary: 'Skip files that already exist',
      conflicts: ['clobber', 'continue'],
    },
    clobber: { type: 'boolean', summary: 'Overwrite existing files', conflicts: ['continue'] },
    continue: { type: 'boolean', summary: 'Skip complete files and resume partial files' },
    concurrency: {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 16,
      default: 4,
      summary: 'Number of simultaneous downloads',
    },
    connections: {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 16,
      default: 8,
      summary: 'Number of connections per file larger than 32 MiB',
    },
    manifest: {
      type: 'string',
      value: 'FILE',
      summary: 'Checksum file for sha256sum -c; bulk downloads write SHA256SUMS in the folder',
      writes: 'SHA256SUMS',
    },
  },
  examples: [
    { comment: 'Download the attachments of a message', command: 'ucctl download 5001 --dir inbox' },
    {
      comment: 'Download the recordings of a week, and resume after an interruption',
      command: 'ucctl download --recordings --since 7d --dir recordings --continue',
    },
    {
      comment: 'Download the recordings that a query of the local call database returns',
      command:
        'ucctl sync sql "select distinct recording_id from v_call where duration_seconds > 600" -o csv | ucctl download -f -',
    },
    {
      comment: 'Download voicemails, named by date and caller',
      command: "ucctl download --voicemail --name-template '{date} {from} {id}.{ext}'",
    },
  ],
  permissions: ['ReadMessages', 'ReadCallRecording'],
  rateGroup: 'Heavy',
  output: list(downloadRows),
  exitCodes: {
    7: 'the connection was interrupted too often; resume with --continue',
    8: 'some downloads failed, and others did not; see the rows with status failed',
    11: 'a file already exists, or another program replaced a partial file',
    12: 'the disk is full, or the target is not a regular file',
  },
  load: () => import('./download.ts').then((m) => m.download),
});

export const downloadNoun: NounSpec = {
  name: 'download',
  summary: downloadCommand.summary,
  section: 'Calls',
  commands: [downloadCommand],
};
