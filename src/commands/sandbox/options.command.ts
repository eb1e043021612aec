import type { IntegerOption, StringOption } from '../../runtime/command-description.ts';

/** The running sandbox that a command talks to. */
export const readyFileOption: StringOption & { readonly required?: false } = {
  type: 'string',
  value: 'FILE',
  summary: 'File that sandbox start --ready-file wrote; default: the sandbox started last',
};

/** How many of the newest entries of a list to show. */
export const newestOption: IntegerOption & { readonly default: number } = {
  type: 'integer',
  min: 1,
  max: 10_000,
  default: 100,
  short: 'L',
  summary: 'Show only the newest entries, at most this many',
};

export const notRunning = { 12: 'no sandbox is running' };
