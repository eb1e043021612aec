import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { auditRows } from './audit.rows.ts';
import type { AuditListOptions } from './list.ts';

export const auditList = defineCommand<AuditListOptions>({
  path: ['audit', 'list'],
  summary: 'List configuration changes, newest first',
  description:
    'Shows who changed which extension, queue or setting of the account, and when. Requires an administrator and --dialect current. ' +
    'A search covers the last 180 days and returns at most 10,000 records.',
  options: {
    ...windowOptions,
    since: {
      ...windowOptions.since,
      summary: `${windowOptions.since.summary}; default: 7 days before --until`,
    },
    by: { type: 'list', value: 'EXT,...', summary: 'Show only changes by these users' },
    target: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Show only changes of these users and queues; company means the company',
    },
    action: {
      type: 'list',
      value: 'ACTION,...',
      summary: 'Show only changes with these values in the ACTION column',
    },
    excludeAction: {
      type: 'list',
      value: 'ACTION,...',
      summary: 'Omit changes with these values in the ACTION column',
    },
    search: { type: 'string', value: 'TEXT', summary: 'Show only records that contain this text' },
    site: { type: 'string', value: 'ID', summary: 'Show only changes at this site', advanced: true },
    limit: {
      type: 'integer',
      short: 'L',
      value: 'N',
      min: 1,
      max: 10_000,
      summary: 'Maximum number of records; default: 100',
    },
    all: { type: 'boolean', summary: 'Stream all records', conflicts: ['limit'] },
    perPage: {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 1000,
      summary: 'Number of records per request',
      advanced: true,
    },
  },
  examples: [
    { comment: 'List the changes of the last seven days', command: 'ucctl audit list' },
    {
      comment: 'List the changes that an administrator made today',
      command: 'ucctl audit list --by 100 --since today',
    },
    {
      comment: 'Export all records of the last 30 days as CSV',
      command: 'ucctl audit list --all --since 30d -o csv',
    },
  ],
  permissions: ['ReadAuditTrail', 'ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Heavy',
  output: list(auditRows),
  exitCodes: {
    2: "the profile's dialect has no audit trail",
    5: 'the audit trail requires an administrator and an app with the permission ReadAuditTrail',
  },
  watch: true,
  load: () => import('./list.ts').then((m) => m.listChanges),
});
