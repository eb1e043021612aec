import type { StringOption } from '../../runtime/command-description.ts';

/** Members of a record, for `--json=help`. */
export const callFields = [
  'id',
  'uri',
  'sessionId',
  'telephonySessionId',
  'startTime',
  'duration',
  'type',
  'direction',
  'action',
  'result',
  'reason',
  'reasonDescription',
  'from',
  'to',
  'extension',
  'recording',
  'message',
  'transport',
  'lastModifiedTime',
  'deleted',
  'legs',
];

export const extensionOption = {
  type: 'string',
  short: 'e',
  value: 'EXT',
  summary: 'The calls of this extension; ~ is your own. Without it, those of the whole account',
} as const satisfies StringOption;
