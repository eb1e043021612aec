import type { StringOption } from '../../runtime/command-description.ts';

export const extensionOption = {
  type: 'string',
  short: 'e',
  value: 'EXT',
  summary: 'The calls of this extension; ~ is your own. Without it, those of the whole account',
} as const satisfies StringOption;
