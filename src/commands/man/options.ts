import type { DryRunOption } from '../../runtime/dry-run-option.ts';

export interface ManOptions extends DryRunOption {
  /** Folder of manual pages that contains `man1`. */
  readonly dir?: string;
}
