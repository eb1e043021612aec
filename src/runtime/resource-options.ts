import { bulkOptions, type BulkOptions } from './bulk-options.ts';
import type { BooleanOption, ListOption, StringOption } from './command-description.ts';

/** Options of commands that read a file of settings. */
export interface ResourceFileOptions extends Pick<BulkOptions, 'file' | 'map' | 'sheet' | 'errors'> {
  readonly maxChanges?: string;
  readonly protect: readonly string[];
  readonly detailedExitcode?: boolean;
}

/** Options of commands that apply a file of settings. */
export interface ResourceRunOptions extends Pick<
  BulkOptions,
  'results' | 'resume' | 'maxErrors' | 'failFast'
> {
  readonly detailedExitcode?: boolean;
}

export const resourceFileOptions = {
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    summary: 'Settings (YAML, CSV or .xlsx), or saved plan; - for standard input',
  },
  map: bulkOptions.map,
  sheet: bulkOptions.sheet,
  errors: bulkOptions.errors,
  maxChanges: {
    type: 'string',
    value: 'N|P%',
    summary: 'Maximum number of entries that may change; default: 20% (at least 5)',
  },
  protect: {
    type: 'list',
    value: 'NAME,...',
    summary: 'Entries that must not change, in addition to the entries in the protect setting',
  },
  detailedExitcode: {
    type: 'boolean',
    summary: 'Exit with 10 if the plan has changes',
  },
} as const satisfies {
  readonly [K in keyof ResourceFileOptions]-?: BooleanOption | ListOption | StringOption;
};

export const resourceRunOptions = {
  results: bulkOptions.results,
  resume: bulkOptions.resume,
  maxErrors: bulkOptions.maxErrors,
  failFast: bulkOptions.failFast,
  detailedExitcode: {
    type: 'boolean',
    summary: 'Exit with 10 if the plan has changes, even with --dry-run',
  },
} as const satisfies {
  readonly [K in keyof ResourceRunOptions]-?: BooleanOption | ListOption | StringOption;
};
