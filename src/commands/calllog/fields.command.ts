import type { StringOption } from '../../runtime/command-description.ts';

export const extensionOption = {
  type: 'string',
  short: 'e',
  value: 'EXT',
  summary: 'Calls of one extension (~ for your own); default: calls of the whole account',
} as const satisfies StringOption;
