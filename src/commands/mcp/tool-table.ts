/** What the calls of a tool may do. */
export type ToolAccess =
  /** Reads only. */
  | 'read'
  /** Writes files or databases on this machine only. */
  | 'local'
  /** Changes something at the service; the change can be made undone. */
  | 'change'
  /** Sends, rings or deletes, which cannot be undone. */
  | 'irreversible';

/** A tool, as data. Its arguments and descriptions come from the specs of its commands. */
export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  readonly access: ToolAccess;
  /** The commands that the tool can run. */
  readonly commands: readonly string[];
  /** Options that the tool does not offer: they write files, or wait without end. */
  readonly without?: readonly string[];
}

/** The tools of `ucctl mcp`. `excludedCommands` names every other command with the reason. */
export const toolTable: readonly ToolEntry[] = [
  {
    name: 'queue_read',
    title: 'Read call queues and their agents',
    access: 'read',
    commands: ['queue list', 'queue show', 'queue members', 'queue diff'],
  },
  {
    name: 'agent_read',
    title: 'Find people',
    access: 'read',
    commands: ['agent list', 'agent show', 'agent availability'],
  },
  { name: 'presence_read', title: 'Read presence', access: 'read', commands: ['presence get'] },
  {
    name: 'message_read',
    title: 'Read messages',
    access: 'read',
    commands: ['message list', 'message show', 'message thread', 'voicemail list', 'fax list', 'fax status'],
  },
  {
    name: 'sms_read',
    title: 'Read text messages',
    access: 'read',
    commands: ['sms list', 'sms thread', 'sms numbers', 'sms batches', 'sms batch'],
  },
  {
    name: 'call_read',
    title: 'Read calls',
    access: 'read',
    commands: [
      'calllog list',
      'calllog show',
      'calllog active',
      'calllog stats',
      'ringout status',
      'ringout numbers',
    ],
    without: ['report'],
  },
  {
    name: 'call_handling_read',
    title: 'Read business hours and answering rules',
    access: 'read',
    commands: ['hours list', 'rule list'],
  },
  {
    name: 'subscription_read',
    title: 'Read event subscriptions and chat webhooks',
    access: 'read',
    commands: ['subscribe list', 'subscribe show', 'webhook list'],
  },
  {
    name: 'event_read',
    title: 'Read received events',
    access: 'read',
    commands: ['events list', 'events show', 'events dlq'],
  },
  {
    name: 'mailbox_copy_read',
    title: 'Search the local copy of mailboxes and calls',
    access: 'read',
    commands: ['sync status', 'sync search', 'sync sql', 'sync verify'],
  },
  {
    name: 'history_read',
    title: 'Read past runs and sends',
    access: 'read',
    commands: ['history list', 'history show', 'outcome list'],
  },
  {
    name: 'account_status',
    title: 'Check sign-in, settings and connection',
    access: 'read',
    commands: ['status', 'doctor', 'config list', 'profile list'],
    without: ['report'],
  },
  {
    name: 'account_read',
    title: 'Compare an exported folder with the account',
    access: 'read',
    commands: ['account diff'],
  },
  { name: 'audit_read', title: 'See who changed the account', access: 'read', commands: ['audit list'] },
  {
    name: 'policy_test',
    title: 'Check a number against the policy',
    access: 'read',
    commands: ['policy test'],
  },
  { name: 'schema', title: 'Read the JSON Schema of a command', access: 'read', commands: ['schema'] },
  {
    name: 'mailbox_sync',
    title: 'Update the local copy of mailboxes and calls',
    access: 'local',
    commands: ['sync', 'sync retry', 'calllog sync'],
    without: ['watch', 'every'],
  },
  {
    name: 'download',
    title: 'Download faxes, voicemails and recordings',
    access: 'local',
    commands: ['download'],
  },
  {
    name: 'queue_change',
    title: 'Add and remove queue agents',
    access: 'change',
    commands: ['queue assign', 'queue unassign', 'queue apply', 'queue availability'],
    without: ['results'],
  },
  {
    name: 'presence_set',
    title: 'Change presence',
    access: 'change',
    commands: ['presence set'],
    without: ['results'],
  },
  {
    name: 'message_mark',
    title: 'Mark and restore messages',
    access: 'change',
    commands: ['message read', 'message unread', 'message restore'],
  },
  {
    name: 'subscription_change',
    title: 'Create and change event subscriptions',
    access: 'change',
    commands: ['subscribe create', 'subscribe update', 'subscribe renew'],
  },
  {
    name: 'people_change',
    title: 'Change people in bulk',
    access: 'change',
    commands: ['agent apply'],
    without: ['results'],
  },
  {
    name: 'call_handling_change',
    title: 'Change business hours and answering rules',
    access: 'change',
    commands: ['hours apply', 'rule apply'],
    without: ['results'],
  },
  {
    name: 'history_undo',
    title: 'Undo a run',
    access: 'change',
    commands: ['history undo'],
    without: ['results'],
  },
  { name: 'ringout_cancel', title: 'Cancel a call', access: 'change', commands: ['ringout cancel'] },
  {
    name: 'sms_send',
    title: 'Send text messages',
    access: 'irreversible',
    commands: ['sms send'],
    without: ['results'],
  },
  {
    name: 'pager_send',
    title: 'Send internal messages',
    access: 'irreversible',
    commands: ['pager send', 'pager reply'],
    without: ['results'],
  },
  {
    name: 'fax_send',
    title: 'Send and cancel faxes',
    access: 'irreversible',
    commands: ['fax send', 'fax resend', 'fax cancel'],
    without: ['results'],
  },
  {
    name: 'ringout_start',
    title: 'Place a call between two phones',
    access: 'irreversible',
    commands: ['ringout start'],
  },
  {
    name: 'message_delete',
    title: 'Delete messages',
    access: 'irreversible',
    commands: ['message delete', 'message purge'],
  },
  {
    name: 'subscription_delete',
    title: 'Delete event subscriptions',
    access: 'irreversible',
    commands: ['subscribe delete'],
  },
];

const endless = 'the command runs until it is interrupted';
const person = 'signing in needs a person';
const machine = 'the command sets up this machine';
const files = 'the command writes a file that the caller would have to read';

/** Nouns whose commands no tool runs, with the reason. */
const excludedNouns: Readonly<Record<string, string>> = {
  sandbox: 'the command controls a sandbox; to use a sandbox, start ucctl mcp --sandbox',
  store: 'the command manages the database that machines share',
};

/** The commands that no tool runs, with the reason. */
export const excludedCommands: Readonly<Record<string, string>> = {
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
  'queue create': 'the command only refers to the account portal',
  'queue delete': 'the command only refers to the account portal',
  'presence watch': endless,
  'sms resolve': 'a person decides whether a text was sent',
  'outcome resolve': 'a person decides whether a text was sent',
  'subscribe tail': endless,
  'webhook listen': endless,
  'webhook trigger': "the command tests a developer's listener",
  'webhook check': "the command tests a developer's listener",
  'webhook create': 'chat webhooks are secrets',
  'webhook activate': 'chat webhooks are secrets',
  'webhook suspend': 'chat webhooks are secrets',
  'webhook delete': 'chat webhooks are secrets',
  'webhook post': 'chat webhooks are secrets',
  'events replay': "the command delivers events to a developer's program",
  'events export': files,
  'events import': files,
  'sync export': files,
  'sync erase': 'erasure of personal data needs a person',
  init: person,
  login: person,
  logout: person,
  api: 'the command can call any operation, so no tool can describe its effect',
  'profile use': machine,
  'profile show': machine,
  'profile add': machine,
  'profile rm': machine,
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
  mcp: 'the command is the server itself',
  'mcp calls': machine,
};

/** The reason why no tool runs a command; undefined if a tool runs it. */
export function reasonToExclude(command: string): string | undefined {
  const [noun = ''] = command.split(' ');
  return excludedNouns[noun] ?? excludedCommands[command];
}
