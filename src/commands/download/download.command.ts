import { defineCommand } from '../../runtime/define.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { NounSpec } from '../../runtime/define.ts';
import type { DownloadOptions } from './download-options.ts';

const downloadCommand = defineCommand<DownloadOptions>({
  path: ['download'],
  summary: 'Save recordings, voicemail, faxes and attachments as files',
  description:
    'A file gets its name only when it is whole; what was cut is carried on with --continue, from the byte where it ended and only while the content ' +
    'is the same. Names are made safe for every system. The token goes to the service and the media hosts of the profile, nowhere else. ' +
    'Fields of --name-template: {kind} {id} {date} {time} {from} {to} {direction} {session} {ext}.',
  options: {
    messages: {
      type: 'list',
      positional: true,
      value: 'MESSAGE',
      summary: 'Ids of messages: all their attachments',
    },
    recording: { type: 'list', value: 'ID,...', summary: 'Recordings by their id (ucctl calllog list)' },
    uri: {
      type: 'list',
      commas: false,
      value: 'ADDRESS',
      summary: 'A content address that the service gave, such as that of a greeting or a profile image',
    },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      summary:
        'CSV with a column uri, recording or message, or that of a list of messages; - for standard input',
    },
    recordings: {
      type: 'boolean',
      summary: 'All recordings of the time: of the account, or of --extension ~',
    },
    voicemail: { type: 'boolean', summary: 'All voicemail of the time' },
    fax: { type: 'boolean', summary: 'All faxes of the time' },
    extension: {
      type: 'string',
      short: 'e',
      value: 'EXT',
      summary: 'Whose mailbox or call log; ~ is your own',
    },
    ...windowOptions,
    dir: {
      type: 'string',
      short: 'd',
      value: 'FOLDER',
      default: '.',
      summary: 'Where to; made when it is not there',
    },
    nameTemplate: { type: 'string', value: 'TEXT', summary: 'Names of the files; {kind}-{id}.{ext}' },
    skipExisting: {
      type: 'boolean',
      summary: 'Leave files that are there',
      conflicts: ['clobber', 'continue'],
    },
    clobber: { type: 'boolean', summary: 'Replace files that are there', conflicts: ['continue'] },
    continue: { type: 'boolean', summary: 'Leave whole files, carry on what is unfinished' },
    concurrency: {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 16,
      default: 4,
      summary: 'Files at the same time; 4',
    },
    connections: {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 16,
      default: 8,
      summary: 'Connections for one file above 32 MiB; 8',
    },
    manifest: {
      type: 'string',
      value: 'FILE',
      summary: 'Write checksums for sha256sum -c; SHA256SUMS in the folder when files are taken in bulk',
    },
  },
  examples: [
    { comment: 'The attachments of a message', command: 'ucctl download 5001 --dir inbox' },
    {
      comment: 'The recordings of a week, carried on after a break',
      command: 'ucctl download --recordings --since 7d --dir recordings --continue',
    },
    {
      comment: 'The recordings that a query of the copy finds',
      command:
        'ucctl sync sql "select distinct recording_id from v_call where duration_seconds > 600" -o csv | ucctl download -f -',
    },
    {
      comment: 'Voicemail, named by day and caller',
      command: "ucctl download --voicemail --name-template '{date} {from} {id}.{ext}'",
    },
  ],
  permissions: ['ReadMessages', 'ReadCallRecording'],
  rateGroup: 'Heavy',
  jsonFields: ['kind', 'id', 'status', 'file', 'bytes', 'contentType', 'sha256', 'uri', 'error'],
  exitCodes: {
    7: 'the connection broke too often; --continue carries on',
    8: 'some files failed; the rows say which',
    11: 'a file of that name is there',
    12: 'the disk is full, or the target is no plain file',
  },
  load: () => import('./download.ts').then((m) => m.download),
});

export const downloadNoun: NounSpec = {
  name: 'download',
  summary: downloadCommand.summary,
  section: 'Calls',
  commands: [downloadCommand],
  outputs: async () => (await import('./outputs.command.ts')).downloadOutputs,
};
