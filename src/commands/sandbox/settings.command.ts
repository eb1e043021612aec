import { defineCommand } from '../../runtime/define.ts';
import type { SandboxSettingsOptions } from './settings.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxSettings = defineCommand<SandboxSettingsOptions>({
  path: ['sandbox', 'settings'],
  summary: 'Show the settings of a sandbox, or change some',
  options: {
    change: {
      type: 'list',
      positional: true,
      commas: false,
      value: 'NAME=VALUE',
      summary: 'Settings to change',
    },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'What can be set', command: 'ucctl sandbox settings' },
    {
      comment: 'Single-use refresh tokens with a grace time',
      command: 'ucctl sandbox settings refreshGraceSeconds=10',
    },
  ],
  jsonFields: [],
  exitCodes: notRunning,
  load: () => import('./settings.ts').then((m) => m.sandboxSettingsCommand),
});
