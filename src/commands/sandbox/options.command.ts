import type { IntegerOption, StringOption } from '../../runtime/command-description.ts';

/** The option that selects the running sandbox for a command. */
export const readyFileOption: StringOption & { readonly required?: false } = {
  type: 'string',
  value: 'FILE',
  summary: 'File written by sandbox start --ready-file; default: the file of the most recent sandbox',
};

/** Names of the initial contents that the sandbox can generate. */
export const fixtureNames = ['small-office', 'call-center', 'enterprise'] as const;

/** The option for the content of a new sandbox. */
export const fixtureOption = {
  type: 'string',
  value: 'NAME',
  choices: fixtureNames,
  summary: 'Initial content: small-office, call-center or enterprise',
} as const;

/** The option for the random numbers of a new sandbox. */
export const seedOption = {
  type: 'integer',
  min: 0,
  default: 42,
  summary: 'Number that determines generated IDs and tokens',
} as const;

/** The option for the clock of a new sandbox. */
export const clockOption: StringOption & { readonly default: string } = {
  type: 'string',
  value: 'real|frozen|60x',
  offered: ['real', 'frozen', '60x'],
  default: 'real',
  summary: 'System clock, frozen, or accelerated (e.g. 60x)',
};

/** The sentences about the time of a new sandbox in the help. */
export const clockDetails =
  'A frozen or accelerated clock starts at 2026-01-05T09:00:00Z. Relative times of commands, such as --since 1h, use the clock of this machine. ' +
  'With such a clock, use absolute times instead, such as --since 2026-01-05.';

/** The user of a command about one user. */
export const whoOption = {
  type: 'string',
  positional: true,
  required: true,
  summary: 'Extension number, ID or e-mail address',
} as const;

/** The option for the number of list entries to show. */
export const newestOption: IntegerOption & { readonly default: number } = {
  type: 'integer',
  min: 1,
  max: 10_000,
  default: 100,
  short: 'L',
  summary: 'Maximum number of newest entries to show',
};

export const notRunning = { 12: 'no sandbox is running' };
