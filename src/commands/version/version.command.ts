import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { versionRows } from './version.rows.ts';
import type { VersionOptions } from './version.ts';

export const versionCommand = defineCommand<VersionOptions>({
  path: ['version'],
  summary: 'Show the version, and check for a newer version',
  description: 'Prints the version. Sends no requests without --check.',
  details:
    'With --check, ucctl uses npm to look up the latest version in the configured registry. ucctl never checks automatically.',
  options: {
    check: { type: 'boolean', summary: 'Look up the latest version with npm' },
  },
  examples: [
    { comment: 'Show version, Node and platform for a bug report', command: 'ucctl version -o json' },
  ],
  output: record(versionRows),
  exitCodes: {
    3: 'package ucctl not found in the registry (--check)',
    7: 'npm cannot reach its registry (--check)',
    12: 'npm is not installed (--check)',
  },
  load: () => import('./version.ts').then((m) => m.showVersion),
});
