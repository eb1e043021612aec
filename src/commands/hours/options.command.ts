import { resourceFileOptions, resourceRunOptions } from '../../runtime/resource-options.ts';

const { map: _map, sheet: _sheet, file, ...rest } = resourceFileOptions;
const { results: _results, ...runOptions } = resourceRunOptions;

/** Options of commands that read a YAML file of settings. */
export const yamlFileOptions = {
  ...rest,
  file: { ...file, summary: 'Settings (YAML), or saved plan; - for standard input' },
} as const;
export const yamlRunOptions = runOptions;

/** Options that select business hours. */
export const ownerOptions = {
  owners: {
    type: 'list',
    positional: true,
    value: 'EXT',
    summary: 'Extensions, or company; default: company',
  },
  queues: { type: 'boolean', summary: 'Include all call queues' },
} as const;

/** The format of a file of business hours, for the details of a command. */
export const hoursFileText =
  'The YAML file contains a list named hours. Each entry has an owner (company, or an extension) and days from monday to sunday. ' +
  'A day has time ranges such as 09:00-12:00, 13:00-17:00, or the value closed. Days and owners that are not in the file stay unchanged. ' +
  'For an owner without a schedule, ucctl plans the days that are not in the file as closed.';
