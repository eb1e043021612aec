import type { BooleanOption, IntegerOption, ListOption, StringOption } from './command-description.ts';

/** The options of every bulk command. */
export interface BulkOptions {
  readonly file?: string;
  readonly map: readonly string[];
  readonly sheet?: string;
  readonly skipInvalid?: boolean;
  readonly errors?: string;
  readonly results?: string;
  readonly resume?: string;
  readonly maxErrors?: string;
  readonly failFast?: boolean;
  readonly maxItems: number;
  readonly concurrency: number;
}

/** Returns whether the user gave each option that has an effect only on the rows of a list. */
export function givenListOptions(
  options: Pick<BulkOptions, 'map' | 'sheet' | 'skipInvalid' | 'errors'>,
): Readonly<Record<string, boolean>> {
  return {
    '--map': options.map.length > 0,
    '--sheet': options.sheet !== undefined,
    '--skip-invalid': options.skipInvalid === true,
    '--errors': options.errors !== undefined,
  };
}

/** The specs of `BulkOptions`, except `file`: its help names the columns of the command's list. */
export const bulkOptions = {
  map: {
    type: 'list',
    value: 'COL=FIELD,...',
    advanced: true,
    summary: 'Field for a column whose heading ucctl does not recognize, e.g. Who=extension',
  },
  sheet: {
    type: 'string',
    value: 'NAME',
    advanced: true,
    summary: 'Name of the sheet to read from an .xlsx list (default: the first visible sheet)',
  },
  skipInvalid: {
    type: 'boolean',
    summary: 'Apply only the valid rows and exit with 8; by default, an invalid row prevents the whole run',
  },
  errors: {
    type: 'string',
    value: 'FILE',
    summary: 'File for all problems in the list: CSV, NDJSON or .xlsx, depending on the file name',
    writes: 'errors.csv',
  },
  results: {
    type: 'string',
    value: 'FILE',
    summary:
      'File for the result of each row (.xlsx or CSV); a new run accepts the results of a table as its list',
    writes: 'results.csv',
  },
  resume: {
    type: 'string',
    value: 'RUN',
    offered: ['last'],
    summary: 'ID of an interrupted run, or last for the newest; see ucctl history list',
  },
  maxErrors: {
    type: 'string',
    value: 'N|P%',
    advanced: true,
    summary: 'Number or percentage of failed rows that stops the run',
  },
  failFast: {
    type: 'boolean',
    advanced: true,
    summary: 'Stop at the first failure',
    conflicts: ['maxErrors'],
  },
  maxItems: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 10_000,
    default: 1000,
    advanced: true,
    summary: 'Maximum number of changes per request',
  },
  concurrency: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 16,
    default: 1,
    advanced: true,
    summary: 'Number of simultaneous requests',
  },
} as const satisfies {
  readonly [K in keyof Omit<BulkOptions, 'file'>]: StringOption | IntegerOption | BooleanOption | ListOption;
};
