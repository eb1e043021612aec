import { defineCommand } from '../../runtime/define.ts';
import { recordOrList } from '../../runtime/output-schema.ts';
import { commandRows, lineRows } from './schema.rows.ts';
import type { SchemaOptions } from './schema.ts';

export const schemaCommand = defineCommand<SchemaOptions>({
  path: ['schema'],
  summary: 'Print the JSON Schema of a command: input, output and errors',
  description:
    'Prints JSON Schema 2020-12 for the options and arguments of a command, for its JSON output, and for the errors on ' +
    'stderr. Sends no requests.',
  details:
    'The input does not include the global flags. The output is the document that the command writes with -o json; if outputType is lines, the command writes one document per line.\n\n' +
    'The schemas allow members and enumeration values that the service adds later.',
  options: {
    command: {
      type: 'list',
      positional: true,
      commas: false,
      value: 'COMMAND',
      summary: 'Words of the command, such as queue list',
    },
    list: { type: 'boolean', summary: 'Show all commands with their output types' },
  },
  examples: [
    { comment: 'Print the output schema of queue list', command: "ucctl schema queue list --jq '.output'" },
    { comment: 'List all commands', command: 'ucctl schema --list -o table' },
  ],
  defaultFormat: 'json',
  output: recordOrList(commandRows, lineRows),
  exitCodes: { 3: 'command not found' },
  load: () => import('./schema.ts').then((m) => m.showSchema),
});
