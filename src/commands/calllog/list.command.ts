import { callLogViews, callTransports, directions, recordingTypes } from '../../contract/enums.ts';
import { defineCommand } from '../../runtime/define.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';

export const callLogList = defineCommand<CallLogListOptions>({
  path: ['calllog', 'list'],
  summary: 'List calls, latest first',
  description:
    'The calls of the whole account are for administrators; everyone may read the own ones with --extension ~. Without --since the service gives the ' +
    'last day; it keeps calls for about a year. Records of one call share one session: calllog show SESSION tells its legs.',
  options: {
    extension: extensionOption,
    ...windowOptions,
    direction: { type: 'list', value: 'DIRECTION', choices: directions, summary: 'Inbound or Outbound' },
    type: { type: 'list', value: 'TYPE,...', summary: 'Voice, Fax, SMS, or what else the service knows' },
    view: {
      type: 'string',
      value: 'VIEW',
      choices: callLogViews,
      summary: 'Detailed has the legs of each call; Simple',
    },
    phoneNumber: { type: 'string', value: 'NUMBER', summary: 'Calls from or to this number (E.164)' },
    extensionNumber: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Calls from or to this extension number',
      conflicts: ['phoneNumber'],
    },
    transport: { type: 'list', value: 'KIND', choices: callTransports, summary: 'PSTN or VoIP' },
    recordingType: {
      type: 'string',
      value: 'KIND',
      choices: [...recordingTypes, 'All'],
      summary: 'Only calls with such a recording',
    },
    withRecording: {
      type: 'boolean',
      negatable: true,
      summary: 'Only calls with a recording, or only those without',
      conflicts: ['recordingType'],
    },
    showBlocked: {
      type: 'boolean',
      negatable: true,
      summary: 'With blocked calls, as the service does by itself',
    },
    showDeleted: { type: 'boolean', summary: 'With deleted records' },
    session: {
      type: 'string',
      value: 'ID',
      summary: 'Only this session; the service takes no other filter with it',
      conflicts: ['since', 'until', 'direction', 'type', 'phoneNumber', 'extensionNumber', 'recordingType'],
    },
    telephonySession: { type: 'string', value: 'ID', summary: 'Only this telephony session (s-...)' },
    limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'At most so many; 100' },
    all: { type: 'boolean', summary: 'As many as there are, streamed', conflicts: ['limit'] },
    perPage: { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Records in one request' },
  },
  examples: [
    { comment: 'The calls of the last day', command: 'ucctl calllog list' },
    { comment: 'Your own of this week', command: 'ucctl calllog list --extension ~ --since 7d' },
    {
      comment: 'A whole month with all legs, a record a line',
      command: 'ucctl calllog list --all --since 30d --view Detailed -o ndjson',
    },
  ],
  permissions: ['ReadCallLog'],
  rateGroup: 'Heavy',
  output: list(callRows),
  exitCodes: { 5: 'the account level needs an administrator; the own calls are --extension ~' },
  watch: true,
  load: () => import('./list.ts').then((m) => m.listCalls),
});
