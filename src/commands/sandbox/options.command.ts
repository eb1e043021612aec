import type { StringOption } from '../../runtime/define.ts';

/** Every command that talks to a running sandbox can be told which. */
export const readyFileOption: StringOption & { readonly required?: false } = {
  type: 'string',
  value: 'FILE',
  summary: 'Ready file of a sandbox, instead of the last one started',
};

export const notRunning = { 12: 'no sandbox is running' };
