import type { BooleanOption, IntegerOption, ListOption, StringOption } from './command-description.ts';

/** What every bulk command takes. */
export interface BulkOptions {
  readonly file?: string;
  readonly map: readonly string[];
  readonly results?: string;
  readonly resume?: string;
  readonly maxErrors?: string;
  readonly failFast?: boolean;
  readonly maxItems: number;
  readonly concurrency: number;
}

/** Their specs; `file` is left to the command, which knows what its list holds. */
export const bulkOptions = {
  map: {
    type: 'list',
    value: 'COL=FIELD,...',
    summary: 'Which column of the list is which field, where its headings do not say so',
  },
  results: {
    type: 'string',
    value: 'FILE',
    summary:
      'Write the list with the result of each row, from the first row on; the file can be given as a list again',
  },
  resume: {
    type: 'string',
    value: 'RUN',
    summary: 'Resume a run that was interrupted; last is the newest open one (ucctl history list)',
  },
  maxErrors: { type: 'string', value: 'N|P%', summary: 'Stop when more than this have failed' },
  failFast: { type: 'boolean', summary: 'Stop at the first failure', conflicts: ['maxErrors'] },
  maxItems: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 10_000,
    default: 1000,
    summary: 'Changes in one request',
  },
  concurrency: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 16,
    default: 1,
    summary: 'Requests at the same time',
  },
} as const satisfies {
  readonly [K in keyof Omit<BulkOptions, 'file'>]: StringOption | IntegerOption | BooleanOption | ListOption;
};
