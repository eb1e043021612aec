import type { IntegerOption, StringOption } from '../../runtime/command-description.ts';

/** The running sandbox that a command talks to. */
export const readyFileOption: StringOption & { readonly required?: false } = {
  type: 'string',
  value: 'FILE',
  summary: 'File written by sandbox start --ready-file; default: the file of the most recent sandbox',
};

/** How many of the newest entries of a list to show. */
export const newestOption: IntegerOption & { readonly default: number } = {
  type: 'integer',
  min: 1,
  max: 10_000,
  default: 100,
  short: 'L',
  summary: 'Maximum number of newest entries to show',
};

export const notRunning = { 12: 'no sandbox is running' };
