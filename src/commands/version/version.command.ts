import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { versionRows } from './version.rows.ts';
import type { VersionOptions } from './version.ts';

export const versionCommand = defineCommand<VersionOptions>({
  path: ['version'],
  summary: 'Show the version, and check for a newer one',
  description: 'Prints the version. Sends no requests without --check.',
  details:
    'With --check, ucctl asks npm for the latest version in the registry that npm is configured to use. ucctl never checks by itself.',
  options: {
    check: { type: 'boolean', summary: 'Look up the latest version with npm' },
  },
  examples: [
    { comment: 'Show version, Node and platform for a bug report', command: 'ucctl version -o json' },
  ],
  output: record(versionRows),
  exitCodes: {
    3: 'the registry has no package of ucctl (with --check)',
    7: 'npm cannot reach its registry (with --check)',
    12: 'npm is not installed (with --check)',
  },
  load: () => import('./version.ts').then((m) => m.showVersion),
});
