import type { Shell } from './scripts/index.ts';

export interface CompletionShellOptions {
  readonly shell?: Shell;
}
export interface CompletionValuesOptions {
  readonly refresh?: boolean;
  readonly clear?: boolean;
}
