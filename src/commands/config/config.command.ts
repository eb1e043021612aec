import { defineCommand } from '../../runtime/define.ts';
import { dryRunOption } from '../../runtime/dry-run-option.ts';
import { list, record } from '../../runtime/output-schema.ts';
import type { ConfigKeyOptions, ConfigListOptions, ConfigSetOptions, ConfigUnsetOptions } from './config.ts';
import { fileRows, removedRows, settingRows } from './setting.rows.ts';

const key = {
  type: 'string',
  positional: true,
  value: 'KEY',
  required: true,
  summary: 'Setting, such as base-url or timeout; ucctl config list --describe explains all settings',
} as const;

export const configList = defineCommand<ConfigListOptions>({
  path: ['config', 'list'],
  summary: 'List the settings in effect',
  options: {
    showOrigin: { type: 'boolean', summary: 'Show where each value comes from' },
    describe: {
      type: 'boolean',
      summary: 'Show the meaning of each setting instead of its value',
      conflicts: ['showOrigin'],
    },
  },
  examples: [
    { comment: 'Show where the base URL comes from', command: 'ucctl config list --show-origin' },
    { comment: 'Show what each setting means', command: 'ucctl config list --describe' },
  ],
  output: list(settingRows),
  load: async () => (await import('./config.ts')).listSettings,
});

export const configGet = defineCommand<ConfigKeyOptions>({
  path: ['config', 'get'],
  summary: 'Show one setting',
  options: { key },
  examples: [{ comment: 'Base URL of the service', command: 'ucctl config get base-url' }],
  output: record(settingRows),
  load: async () => (await import('./config.ts')).getSetting,
});

export const configSet = defineCommand<ConfigSetOptions>({
  path: ['config', 'set'],
  summary: 'Change a setting of the profile',
  options: {
    key,
    value: { type: 'string', positional: true, value: 'VALUE', required: true, summary: 'New value' },
    dryRun: dryRunOption,
  },
  examples: [
    {
      comment: 'Wait up to 60 s for replies in profile prod',
      command: 'ucctl -p prod config set timeout 60',
    },
  ],
  repairsSettings: true,
  exitCodes: { 9: 'you did not confirm that the address of a PostgreSQL store is replaced' },
  output: record(settingRows),
  load: async () => (await import('./config.ts')).setSetting,
});

export const configUnset = defineCommand<ConfigUnsetOptions>({
  path: ['config', 'unset'],
  summary: 'Remove a setting from the profile',
  options: { key, dryRun: dryRunOption },
  examples: [{ comment: 'Use the default output format again', command: 'ucctl config unset output' }],
  repairsSettings: true,
  output: record(removedRows),
  load: async () => (await import('./config.ts')).unsetSetting,
});

export const configPath = defineCommand<object>({
  path: ['config', 'path'],
  summary: 'Show the path of the config file',
  options: {},
  examples: [{ comment: 'Print the config file', command: 'cat "$(ucctl config path)"' }],
  repairsSettings: true,
  output: record(fileRows),
  load: async () => (await import('./config.ts')).showPath,
});
