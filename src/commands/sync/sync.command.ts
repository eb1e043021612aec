import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncOptions } from './sync-options.ts';

export const syncCommand = defineCommand<SyncOptions>({
  path: ['sync'],
  summary: 'Copy mailboxes into a database on this machine',
  description:
    'Copies everything at first, what is new after that. Each reply goes in with its sync token in one transaction, so the copy is whole whenever this ends. ' +
    'When the service refuses the token, one full sync repairs the copy and says what it changed. A full sync begins at --since, else before everything that the service keeps. ' +
    'Tables and views: docs/mirror.md.',
  options: {
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Whose mailboxes: names or numbers, or all; your own by default',
    },
    types: {
      type: 'list',
      choices: ['SMS', 'Pager', 'Fax', 'VoiceMail'],
      value: 'TYPE,...',
      summary: 'Only these types, each with a token of its own: SMS, Pager, Fax, VoiceMail',
    },
    direction: { type: 'string', choices: ['Inbound', 'Outbound'], summary: 'Only this direction' },
    since: {
      type: 'string',
      value: 'TIME',
      summary: 'Only messages from then on: a date, ISO 8601, 7d, yesterday; fixed at the first sync',
    },
    maxRecords: {
      type: 'integer',
      min: 1,
      summary: 'Only the newest N at the first sync; what the service gives beyond is kept',
    },
    onDelete: {
      type: 'string',
      choices: ['keep', 'mark', 'purge'],
      default: 'mark',
      value: 'POLICY',
      summary:
        'What happens to the copy of what the service deleted: keep everything, mark it and drop what is purged, or purge it here too',
    },
    media: { type: 'boolean', summary: 'Copy attachments too, beside the database' },
    full: { type: 'boolean', summary: 'Sync in full although there is a token, and repair the copy' },
    watch: {
      type: 'boolean',
      summary: 'Go on until Ctrl-C: sync what the service tells of, and everything once in a while',
      conflicts: ['full'],
    },
    sweep: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 10,
      maxSeconds: 86_400,
      default: 600,
      summary: 'With --watch: time between two rounds over all mailboxes; 10m',
    },
    transport: {
      type: 'string',
      choices: ['channel', 'webhook'],
      default: 'channel',
      value: 'WAY',
      summary: 'With --watch: channel reads from the service; webhook has it post to this machine',
    },
    channelUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Where the channel is served; the service by default',
    },
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      summary: 'Port of the webhook; 0 for any free one',
    },
    publicUrl: { type: 'string', value: 'URL', summary: 'Where the service reaches the webhook (https)' },
    readyFile: {
      type: 'string',
      value: 'FILE',
      summary: 'With --watch: write JSON with subscriptionId, eventFilters and pid when ready',
    },
    ...copyOptions,
  },
  examples: [
    { comment: 'Your mailbox', command: 'ucctl sync' },
    { comment: 'Everyone you may read, with attachments', command: 'ucctl sync --extension all --media' },
    { comment: 'Kept live until Ctrl-C', command: 'ucctl sync --watch' },
    { comment: 'Exactly what the service has', command: 'ucctl sync --on-delete purge' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  jsonFields: [
    'mailbox',
    'extensionId',
    'type',
    'direction',
    'syncType',
    'olderRecordsExist',
    'bytes',
    'repaired',
    'received',
    'added',
    'changed',
    'unchanged',
    'deleted',
    'purged',
    'vanished',
    'errors',
    'media',
    'syncTime',
    'refused',
  ],
  exitCodes: {
    8: 'some mailboxes or records could not be copied',
    11: 'another sync is at work on this copy, or it is of another user',
    12: 'no room, or the database cannot be used',
  },
  load: () => import('./sync.ts').then((m) => m.syncMailboxes),
});
