import type { IntegerOption, StringOption } from '../../runtime/command-description.ts';

/** Every command that talks to a running sandbox can be told which. */
export const readyFileOption: StringOption & { readonly required?: false } = {
  type: 'string',
  value: 'FILE',
  summary: 'Ready file of a sandbox, instead of the last one started',
};

/** Of a list that the sandbox keeps in order: its end. */
export const lastOnesOption: IntegerOption & { readonly default: number } = {
  type: 'integer',
  min: 1,
  max: 10_000,
  default: 100,
  short: 'L',
  summary: 'At most so many, the last ones',
};

export const notRunning = { 12: 'no sandbox is running' };
