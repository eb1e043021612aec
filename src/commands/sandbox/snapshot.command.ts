import { defineCommand } from '../../runtime/define.ts';
import type { SandboxSnapshotOptions } from './snapshot.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxSnapshot = defineCommand<SandboxSnapshotOptions>({
  path: ['sandbox', 'snapshot'],
  summary: 'Keep the state of a sandbox and return to it',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['list', 'save', 'load'],
      default: 'list',
      summary: 'What to do',
    },
    name: { type: 'string', positional: true, summary: 'Name of the snapshot' },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'Keep it', command: 'ucctl sandbox snapshot save before' },
    { comment: 'Return to it', command: 'ucctl sandbox snapshot load before' },
  ],
  jsonFields: ['name', 'bytes', 'savedAt'],
  exitCodes: notRunning,
  load: () => import('./snapshot.ts').then((m) => m.sandboxSnapshotCommand),
});
