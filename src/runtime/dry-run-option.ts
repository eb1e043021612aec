/**
 * The option of commands that change only data on this machine or in the store. Other commands have the global `--dry-run`,
 * which prints requests.
 */
export const dryRunOption = {
  type: 'boolean',
  short: 'n',
  summary: 'Show the changes without making them',
} as const;

/** The parsed value of `dryRunOption`. */
export interface DryRunOption {
  readonly dryRun?: boolean;
}
