import type { DryRunOption } from '../../runtime/dry-run-option.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';

/** Options of `download`. */
export interface DownloadOptions extends WindowOptions, DryRunOption {
  readonly parents?: boolean;
  readonly messages: readonly string[];
  readonly recording: readonly string[];
  readonly uri: readonly string[];
  readonly file?: string;
  readonly sheet?: string;
  readonly recordings?: boolean;
  readonly voicemail?: boolean;
  readonly fax?: boolean;
  readonly extension?: string;
  readonly dir: string;
  readonly nameTemplate?: string;
  readonly skipExisting?: boolean;
  readonly clobber?: boolean;
  readonly continue?: boolean;
  readonly concurrency: number;
  readonly connections: number;
  readonly manifest?: string;
}
