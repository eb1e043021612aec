import { lookupTable } from '../../../src/platform/lookup-table.ts';

const endless = 'the command runs until it is interrupted';
const person = 'a person must sign in';
const machine = 'the command sets up this machine';
const shared = 'the command manages programs on several machines';
const files = 'the command writes a file that the caller would have to read';

/** Nouns whose commands no tool runs, with the reason. */
const excludedNouns: Readonly<Record<string, string>> = lookupTable({
  sandbox: 'the command controls a sandbox; to use a sandbox, start ucctl mcp --sandbox',
  store: 'the command manages the database that machines share',
  fleet: 'the command manages workers on several machines',
});

/** The commands that no tool runs, with the reason. */
export const excludedCommands: Readonly<Record<string, string>> = lookupTable({
  'queue watch': endless,
  'queue export': files,
  'queue plan': files,
  'agent export': files,
  'agent plan': files,
  'hours export': files,
  'hours plan': files,
  'rule export': files,
  'rule plan': files,
  'account export': files,
  'queue create': 'the command only explains how to use the account portal',
  'queue delete': 'the command only explains how to use the account portal',
  'presence watch': endless,
  'sms resolve': 'a person decides whether a text was sent',
  'outcome resolve': 'a person decides whether a text was sent',
  'subscribe tail': endless,
  'webhook listen': endless,
  'webhook trigger': "the command tests a developer's listener",
  'webhook check': "the command tests a developer's listener",
  'webhook create': 'the address of a chat webhook is a secret',
  'webhook activate': 'the address of a chat webhook is a secret',
  'webhook suspend': 'the address of a chat webhook is a secret',
  'webhook delete': 'the address of a chat webhook is a secret',
  'webhook post': 'the address of a chat webhook is a secret',
  'events replay': "the command delivers events to a developer's program",
  'events receivers': shared,
  'events consume': endless,
  'events consumers': shared,
  'events export': files,
  'events import': files,
  'sync export': files,
  'sync erase': 'only a person may decide to erase personal data',
  init: person,
  login: person,
  logout: person,
  api: 'the command can call any operation, so no tool can describe its effect',
  'profile use': machine,
  'profile show': machine,
  'profile add': machine,
  'profile remove': machine,
  'config get': machine,
  'config set': machine,
  'config unset': machine,
  'config path': machine,
  'completion install': machine,
  'completion uninstall': machine,
  'completion script': machine,
  'completion values': machine,
  'man install': machine,
  'man uninstall': machine,
  version: machine,
  skill: machine,
  'skill install': machine,
  mcp: 'the command is the MCP server itself',
  'mcp calls': machine,
  console: 'the command serves a page for people',
});

/** Returns the reason why no tool runs a command; undefined if a tool runs it. */
export function reasonToExclude(command: string): string | undefined {
  const [noun = ''] = command.split(' ');
  return excludedNouns[noun] ?? excludedCommands[command];
}
