import { spawnSync } from 'node:child_process';
import { unlessRequired } from './required.ts';

/** The reason why tests cannot run lines of bash, such as `ulimit`; undefined if they can. */
export const noBash = unlessRequired(
  'bash',
  spawnSync('bash', ['--version']).status === 0 ? undefined : 'bash is not installed',
);

/** The end of the title of tests with bash, which names the reason if they are skipped. */
export const withBash = noBash === undefined ? '' : `: ${noBash}`;
