/** The option of commands that change only this machine. Other commands have the global `--dry-run`. */
export const dryRunOption = {
  type: 'boolean',
  short: 'n',
  summary: 'Show the changes without making them',
} as const;

/** The parsed value of `dryRunOption`. */
export interface DryRunOption {
  readonly dryRun?: boolean;
}
