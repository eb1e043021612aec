import { defineCommand } from '../../runtime/define.ts';
import type { SchemaOptions } from './schema.ts';

export const schemaCommand = defineCommand<SchemaOptions>({
  path: ['schema'],
  summary: 'Describe the input, output and errors of a command as JSON Schema',
  description:
    'JSON Schema 2020-12. The input are the flags and arguments of the command by their names, without the global flags; the output is its document under ' +
    '-o json, or each of its lines where it says so; the errors are the line on stderr. What the service adds later is allowed, and enumerations of the ' +
    'service are open. Nothing is sent.',
  options: {
    command: {
      type: 'list',
      positional: true,
      commas: false,
      value: 'COMMAND',
      summary: 'Words of the command, such as: queue list',
    },
    list: { type: 'boolean', summary: 'Instead: every command, and what it gives' },
  },
  examples: [
    { comment: 'What comes out of queue list', command: "ucctl schema queue list --jq '.output'" },
    { comment: 'Every command', command: 'ucctl schema --list -o table' },
  ],
  defaultFormat: 'json',
  jsonFields: ['command', 'summary', 'mutates', 'gives', 'input', 'output', 'dryRun', 'errors'],
  exitCodes: { 3: 'there is no such command' },
  load: () => import('./schema.ts').then((m) => m.showSchema),
});
