import { directions } from '../../contract/enums.ts';
import type { StringOption } from '../../runtime/command-description.ts';

export const extensionOption = {
  type: 'string',
  short: 'e',
  value: 'EXT',
  summary: 'Calls of one extension (~ for your own); default: calls of the whole account',
} as const satisfies StringOption;

/** The option for the direction of the shown calls. */
export const directionOption = {
  type: 'list',
  value: 'DIRECTION',
  choices: directions,
  summary: 'Show only inbound or only outbound calls',
} as const;

/** The option for the extension of the shown calls, which excludes `--phone`. */
export const extensionNumberOption = {
  type: 'string',
  value: 'NUMBER',
  summary: 'Show only calls from or to this extension number',
  conflicts: ['phone'],
} as const;
