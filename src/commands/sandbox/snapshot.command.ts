import { defineCommand } from '../../runtime/define.ts';
import type { SandboxSnapshotOptions } from './snapshot.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { snapshotOutput } from './state.rows.ts';

export const sandboxSnapshot = defineCommand<SandboxSnapshotOptions>({
  path: ['sandbox', 'snapshot'],
  summary: 'Save or restore the state of a sandbox',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['list', 'save', 'load'],
      default: 'list',
      summary: 'Action',
    },
    name: { type: 'string', positional: true, summary: 'Name of the snapshot' },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'Save the state as a snapshot', command: 'ucctl sandbox snapshot save before' },
    { comment: 'Restore the saved state', command: 'ucctl sandbox snapshot load before' },
  ],
  output: snapshotOutput,
  exitCodes: notRunning,
  load: () => import('./snapshot.ts').then((m) => m.sandboxSnapshotCommand),
});
