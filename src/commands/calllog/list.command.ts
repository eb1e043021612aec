import { dialects } from '../../contract/dialects.ts';
import { callLogViews, callResults, callTransports, recordingTypes } from '../../contract/enums.ts';
import { defineCommand } from '../../runtime/define.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { directionOption, extensionNumberOption, extensionOption } from './fields.command.ts';
import type { CallLogListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';

export const callLogList = defineCommand<CallLogListOptions>({
  path: ['calllog', 'list'],
  summary: 'List calls, newest first',
  description:
    'Calls of the whole account require an administrator; all users can list their own calls with --extension ~. Without --since, the list covers the last day; the service stores calls for about a year. ' +
    'A table has one row for each call; the other formats contain all records of the service, one for each extension that took part in a call.',
  options: {
    extension: extensionOption,
    ...windowOptions,
    direction: directionOption,
    type: {
      type: 'list',
      value: 'TYPE,...',
      offered: { spec: dialects.spec.callTypes, current: dialects.current.callTypes },
      summary:
        'Call types to show: Voice, Fax, SMS (dialect spec only) or another type that the service supports',
    },
    result: {
      type: 'list',
      value: 'RESULT,...',
      offered: callResults,
      summary:
        'Results to show, such as Missed, Voicemail or "No Answer"; in a table, the result of the whole call. The service has no such filter, so ucctl reads all calls of the period',
    },
    view: {
      type: 'string',
      value: 'VIEW',
      choices: callLogViews,
      summary: 'Level of detail; Detailed includes the legs of each call',
    },
    phone: { type: 'string', value: 'NUMBER', summary: 'Show only calls from or to this number' },
    extensionNumber: extensionNumberOption,
    transport: {
      type: 'list',
      value: 'KIND',
      choices: callTransports,
      summary: 'Show only calls over this network; only with --extension',
    },
    recordingType: {
      type: 'string',
      value: 'KIND',
      choices: [...recordingTypes, 'All'],
      summary: 'Show only calls with a recording of this kind',
    },
    withRecording: {
      type: 'boolean',
      negatable: true,
      summary: 'Show only calls with a recording; with --no-with-recording, only calls without a recording',
      conflicts: ['recordingType'],
    },
    showBlocked: {
      type: 'boolean',
      negatable: true,
      summary: 'Include blocked calls (default); --no-show-blocked only with --extension',
    },
    showDeleted: { type: 'boolean', summary: 'Include deleted records' },
    session: {
      type: 'string',
      value: 'ID',
      summary: 'Show only calls of this session; cannot be used with other filters',
      conflicts: ['since', 'until', 'direction', 'type', 'phone', 'extensionNumber', 'recordingType'],
    },
    telephonySession: {
      type: 'string',
      value: 'ID',
      summary: 'Show only calls of this telephony session (s-...)',
    },
    limit: {
      type: 'integer',
      short: 'L',
      value: 'N',
      min: 1,
      summary: 'Maximum number of calls in a table, or of records in other formats; default: 100',
    },
    all: { type: 'boolean', summary: 'Stream all records', conflicts: ['limit'] },
    perPage: { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Number of records per request' },
  },
  examples: [
    { comment: 'List calls of the last day', command: 'ucctl calllog list' },
    {
      comment: 'List your own calls of the last seven days',
      command: 'ucctl calllog list --extension ~ --since 7d',
    },
    {
      comment: 'List the missed calls of all extensions since yesterday',
      command: 'ucctl calllog list --result Missed --since yesterday',
    },
    {
      comment: 'List the calls of a month with all legs, one record per line',
      command: 'ucctl calllog list --all --since 30d --view Detailed -o ndjson',
    },
  ],
  permissions: ['ReadCallLog'],
  rateGroup: 'Heavy',
  output: list(callRows),
  exitCodes: {
    5: 'calls of the whole account require an administrator; use --extension ~ for your own calls',
  },
  watch: true,
  load: () => import('./list.ts').then((m) => m.listCalls),
});
