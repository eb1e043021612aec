import { defineCommand } from '../../runtime/define.ts';
import type { ConfigKeyOptions, ConfigListOptions, ConfigSetOptions } from './config.ts';

const key = {
  type: 'string',
  positional: true,
  value: 'KEY',
  required: true,
  summary: 'Such as base-url, timeout or media-hosts; ucctl config list shows them all',
} as const;
const fields = ['key', 'value', 'origin', 'source', 'usual'] as const;

export const configList = defineCommand<ConfigListOptions>({
  path: ['config', 'list'],
  summary: 'List the settings in effect',
  options: {
    showOrigin: { type: 'boolean', summary: 'Say where each value comes from' },
  },
  examples: [{ comment: 'Why is this the base URL?', command: 'ucctl config list --show-origin' }],
  jsonFields: fields,
  load: async () => (await import('./config.ts')).listSettings,
});

export const configGet = defineCommand<ConfigKeyOptions>({
  path: ['config', 'get'],
  summary: 'Show one setting',
  options: { key },
  examples: [{ comment: 'The address of the service', command: 'ucctl config get base-url' }],
  jsonFields: fields,
  load: async () => (await import('./config.ts')).getSetting,
});

export const configSet = defineCommand<ConfigSetOptions>({
  path: ['config', 'set'],
  summary: 'Change a setting of the profile',
  options: {
    key,
    value: { type: 'string', positional: true, value: 'VALUE', required: true, summary: 'Its new value' },
  },
  examples: [
    { comment: 'Wait longer for replies, in profile prod', command: 'ucctl -p prod config set timeout 60' },
  ],
  jsonFields: fields,
  load: async () => (await import('./config.ts')).setSetting,
});

export const configUnset = defineCommand<ConfigKeyOptions>({
  path: ['config', 'unset'],
  summary: 'Take a setting out of the profile',
  options: { key },
  examples: [{ comment: 'Back to the default format', command: 'ucctl config unset output' }],
  jsonFields: ['key', 'profile', 'removed'],
  load: async () => (await import('./config.ts')).unsetSetting,
});

export const configPath = defineCommand<object>({
  path: ['config', 'path'],
  summary: 'Show where the config file is',
  options: {},
  examples: [{ comment: 'Look at it', command: 'cat "$(ucctl config path)"' }],
  jsonFields: ['file'],
  load: async () => (await import('./config.ts')).showPath,
});
