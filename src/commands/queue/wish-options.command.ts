import { bulkOptions } from '../../runtime/bulk-options.ts';
import type { BooleanOption, ListOption, StringOption } from '../../runtime/command-description.ts';

/** How a list is read, and what it must not do; shared by the commands that plan. */
export interface WishOptions {
  readonly file?: string;
  readonly map: readonly string[];
  readonly exact?: boolean;
  readonly addOnly?: boolean;
  readonly removeOnly?: boolean;
  readonly maxRemovals?: string;
  readonly allowEmpty?: boolean;
  readonly protect: readonly string[];
  readonly detailedExitcode?: boolean;
}

export const wishOptions = {
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    summary: 'YAML or CSV list, or a saved plan; - for standard input',
  },
  map: bulkOptions.map,
  exact: {
    type: 'boolean',
    summary:
      'The queues of the list have exactly its agents: add and remove (default for YAML); not for a saved plan',
    conflicts: ['addOnly', 'removeOnly'],
  },
  addOnly: { type: 'boolean', summary: 'Only add, remove nobody', conflicts: ['removeOnly'] },
  removeOnly: { type: 'boolean', summary: 'Only remove, add nobody' },
  maxRemovals: {
    type: 'string',
    value: 'N|P%',
    summary: 'Remove at most this many; 20% (at least 5) by default for a list that says who stays',
  },
  allowEmpty: { type: 'boolean', summary: 'A queue may be left without agents' },
  protect: {
    type: 'list',
    value: 'AGENT,...',
    summary: 'Never remove these, beside those of the profile setting protect',
  },
  detailedExitcode: {
    type: 'boolean',
    summary:
      'End with 10 when there is something to change, under --dry-run too, or when something was changed',
  },
} as const satisfies { readonly [K in keyof WishOptions]-?: BooleanOption | ListOption | StringOption };

/** What a list is; for the help. */
export const listText =
  'A list is YAML (queues: with queue and agents), or CSV with the columns queue and extension, or agents down and queues across with an x where an agent is in a queue (queue export --matrix). With a column action (add or remove) it says what to change; ' +
  'without one it says who is in the queues, and --exact, --add-only or --remove-only says what of the difference is made. ' +
  'What cannot be read is reported at once, with file, line and column, and nothing is sent then.';

/** What becomes of rows that cannot be applied; for the help. */
export const badRowsText =
  'A row that names nobody, or someone who cannot take calls, is reported and skipped, ' +
  'and the command exits with 8; with --fail-fast or --max-errors 0 nothing is sent for a list with such a row.';
