import type { DryRunOption } from '../../runtime/dry-run-option.ts';
import type { Shell } from './scripts/index.ts';

export interface CompletionShellOptions {
  readonly shell?: Shell;
}
export interface CompletionInstallOptions extends CompletionShellOptions, DryRunOption {}
export interface CompletionValuesOptions {
  readonly refresh?: boolean;
  readonly clear?: boolean;
}
