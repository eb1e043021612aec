import { defineCommand } from '../../runtime/define.ts';
import { anything, mapOf, record } from '../../runtime/output-schema.ts';
import type { SandboxSettingsOptions } from './settings.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxSettings = defineCommand<SandboxSettingsOptions>({
  path: ['sandbox', 'settings'],
  summary: 'Show or change the settings of a sandbox',
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
    {
      comment: 'Show all settings; in a pipe, one NAME and VALUE per line',
      command: 'ucctl sandbox settings',
    },
    {
      comment: 'Accept used refresh tokens for 10 more seconds',
      command: 'ucctl sandbox settings refreshGraceSeconds=10',
    },
  ],
  output: record(mapOf(anything)),
  exitCodes: notRunning,
  load: () => import('./settings.ts').then((m) => m.sandboxSettingsCommand),
});
