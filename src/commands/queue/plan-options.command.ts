import { bulkOptions, type BulkOptions } from '../../runtime/bulk-options.ts';
import type { BooleanOption, ListOption, StringOption } from '../../runtime/command-description.ts';

/** Options for reading a list and for safety limits, shared by the commands that make a plan. */
export interface PlanOptions extends Pick<BulkOptions, 'file' | 'map' | 'sheet' | 'skipInvalid' | 'errors'> {
  readonly exact?: boolean;
  readonly addOnly?: boolean;
  readonly removeOnly?: boolean;
  readonly maxRemovals?: string;
  readonly maxChanges?: string;
  readonly allowEmpty?: boolean;
  readonly protect: readonly string[];
  readonly detailedExitcode?: boolean;
}

export const planOptions = {
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    summary: 'List (CSV, .xlsx or YAML), or saved plan; - for standard input',
  },
  map: bulkOptions.map,
  sheet: bulkOptions.sheet,
  skipInvalid: bulkOptions.skipInvalid,
  errors: bulkOptions.errors,
  exact: {
    type: 'boolean',
    summary: 'Add listed agents and remove unlisted agents (default for YAML); not for a saved plan',
    conflicts: ['addOnly', 'removeOnly'],
  },
  addOnly: { type: 'boolean', summary: 'Add listed agents, but remove no agents', conflicts: ['removeOnly'] },
  removeOnly: { type: 'boolean', summary: 'Remove all agents who are not in the list; add no agents' },
  maxRemovals: {
    type: 'string',
    value: 'N|P%',
    summary: 'Maximum number of removals; default for a desired state: 20% (at least 5)',
  },
  maxChanges: {
    type: 'string',
    value: 'N|P%',
    summary: 'Maximum number of queues whose settings may change; default: 20% (at least 5)',
  },
  allowEmpty: { type: 'boolean', summary: 'Allow removing the last agent of a queue' },
  protect: {
    type: 'list',
    value: 'AGENT,...',
    summary: 'Agents that ucctl must not remove, in addition to the agents in the protect setting',
  },
  detailedExitcode: {
    type: 'boolean',
    summary: 'Exit with 10 if the plan has changes, even with --dry-run',
  },
} as const satisfies { readonly [K in keyof PlanOptions]-?: BooleanOption | ListOption | StringOption };

/** The formats of a list, for the details of a command. */
export const listText =
  'A list is YAML (key queues: with queue and agents), a table with queue and extension columns, or a matrix. A table is a CSV file or a sheet of an .xlsx workbook. ' +
  'A matrix (queue export --matrix) has a row for each agent, a column for each queue and an x for each membership. ' +
  'A table with an action column (add or remove) is a list of changes. Without this column, a list is a desired state, and --exact, --add-only or --remove-only selects the changes to make.';

/** Describes how commands handle rows that cannot be applied, for the details of a command. */
export const badRowsText =
  'If a row is invalid, or an agent is not found or cannot take calls, the command sends nothing and exits with 2. The error lists all problems with file, line and column. ' +
  'With --skip-invalid, the command skips such rows, applies the other rows and exits with 8.';
