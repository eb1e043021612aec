import { tmpdir } from 'node:os';
import { basename } from 'node:path';

/** Whether the folder for temporary files is that of a run of the tests (global-setup.ts), which removes it at its end. */
export function isRunFolder(): boolean {
  return basename(tmpdir()).startsWith('ucctl-suite-');
}
