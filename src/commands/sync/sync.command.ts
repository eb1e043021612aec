import { dryRunOption } from '../../runtime/dry-run-option.ts';
import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncOptions } from './sync-options.ts';
import { list } from '../../runtime/output-schema.ts';
import { syncRows } from './sync.rows.ts';

export const syncCommand = defineCommand<SyncOptions>({
  path: ['sync'],
  summary: 'Update the local mailbox copy',
  description:
    'The first run copies all messages. Later runs copy only changes. ucctl stores each reply with its sync token in one transaction, ' +
    'so the local mailbox copy stays consistent even when a run is interrupted.',
  details:
    'If the service rejects the sync token, one full sync copies the missed changes and reports them. ' +
    'A full sync starts at --since, or before the oldest message that the service stores. ' +
    'The help of ucctl sync sql names the views for your own queries.',
  options: {
    dryRun: { ...dryRunOption, conflicts: ['watch'] },
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Mailboxes to copy: extension names or numbers, or all; default: your own',
    },
    type: {
      type: 'list',
      choices: ['SMS', 'Pager', 'Fax', 'VoiceMail'],
      value: 'TYPE,...',
      summary: 'Message types to copy, each with its own sync token',
    },
    direction: {
      type: 'string',
      choices: ['Inbound', 'Outbound'],
      summary: 'Copy only inbound or only outbound messages',
    },
    since: {
      type: 'string',
      value: 'TIME',
      summary:
        'Oldest message to copy: a date, an ISO 8601 time, 7d or yesterday; set only by the first sync',
    },
    maxRecords: {
      type: 'integer',
      min: 1,
      summary:
        'Number of newest messages to request in the first sync; ucctl stores more if the service returns more',
    },
    onDelete: {
      type: 'string',
      choices: ['keep', 'mark', 'purge'],
      value: 'POLICY',
      summary:
        'Action for messages that were deleted on the service: keep or mark (drops purged content), which is stored for later runs, or purge, which applies only to this run; default: the stored action, initially mark',
    },
    media: { type: 'boolean', summary: 'Copy attachments into a folder next to the database' },
    concurrency: {
      type: 'integer',
      min: 1,
      max: 32,
      value: 'N',
      summary: 'Number of mailboxes to copy at the same time, within the rate limits; default: 8',
    },
    full: {
      type: 'boolean',
      summary: 'Repair the local mailbox copy with a full sync, even if there is a sync token',
    },
    watch: {
      type: 'boolean',
      summary: 'Keep the local mailbox copy up to date with live events until Ctrl-C',
      conflicts: ['full'],
    },
    sweep: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 10,
      maxSeconds: 86_400,
      default: 600,
      requires: 'watch',
      summary: 'Interval between syncs of all mailboxes with --watch',
    },
    transport: {
      type: 'string',
      choices: ['channel', 'webhook', 'websocket'],
      offered: { spec: ['channel', 'webhook'], current: ['websocket', 'webhook'] },
      value: 'TRANSPORT',
      requires: 'watch',
      summary:
        'Delivery method of --watch: the hosted channel, a webhook on this machine or a WebSocket; default: websocket in dialect current, otherwise channel',
    },
    channelUrl: {
      type: 'string',
      value: 'URL',
      requires: 'watch',
      summary: 'Address of the channel; default: the service',
    },
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      requires: 'watch',
      summary: 'Local webhook port; 0 selects a free port',
    },
    publicUrl: {
      type: 'string',
      value: 'URL',
      requires: 'watch',
      summary: 'Public https address of the webhook',
    },
    readyFile: {
      type: 'string',
      value: 'FILE',
      requires: 'watch',
      summary:
        'JSON file that --watch deletes first and writes when ready, with subscriptionId, eventFilters and pid',
      writes: 'ready.json',
    },
    ...copyOptions,
  },
  examples: [
    { comment: 'Copy your own mailbox', command: 'ucctl sync' },
    {
      comment: 'Copy all mailboxes that you can read, with attachments',
      command: 'ucctl sync --extension all --media',
    },
    { comment: 'Keep the local mailbox copy up to date until Ctrl-C', command: 'ucctl sync --watch' },
    {
      comment: 'Also remove messages that the service has deleted',
      command: 'ucctl sync --on-delete purge',
    },
  ],
  permissions: ['ReadMessages'],
  currentPermissions: ['ReadMessages', 'WebSocket'],
  rateGroup: 'Light',
  output: list(syncRows),
  exitCodes: {
    8: 'some mailboxes, records or attachments were not copied',
    9: 'a change to --on-delete purge removes messages and needs confirmation',
    11: 'another sync is using the local mailbox copy, or the copy belongs to another user',
    12: 'the disk is full, or ucctl cannot use the database or the place of the attachments',
  },
  load: () => import('./sync.ts').then((m) => m.syncMailboxes),
});
