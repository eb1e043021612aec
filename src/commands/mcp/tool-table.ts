import type { ToolName } from '../../runtime/tool-names.ts';

/** The effect of the calls of a tool. */
export type ToolAccess =
  /** Reads only. */
  | 'read'
  /** Writes files or databases, or reads any file, only on this machine. */
  | 'local'
  /** Makes a change on the service that can be undone. */
  | 'change'
  /** May send messages, ring phones or delete data, which cannot be undone. */
  | 'irreversible';

/** What an agent program may assume about the calls of a tool. An absent hint is sent as false. */
export type ToolHint =
  /** A call may remove or overwrite something, or cannot be undone. In MCP, other tools only add. */
  | 'destructive'
  /** A second call with the same arguments changes nothing more. Tools that send never have this hint. */
  | 'idempotent'
  /** A call may reach people or addresses outside the account. */
  | 'openWorld';

/** A tool, as data. Its arguments and descriptions come from the specs of its commands. */
export interface ToolEntry {
  readonly name: ToolName;
  readonly title: string;
  readonly access: ToolAccess;
  readonly hints: readonly ToolHint[];
  /** The commands that the tool can run. */
  readonly commands: readonly string[];
  /**
   * Options that the tool does not offer, because they write files, wait without a time limit, show secrets, read the
   * data of another profile, send requests to an address that the agent chooses, or make changes although the command
   * only reads.
   */
  readonly without?: readonly string[];
}

/** Options with files that a command writes during its preview, too, which nobody has confirmed. */
const writtenFiles = ['errors', 'results'] as const;

/** The tools of `ucctl mcp`. `test/commands/mcp/excluded-commands.ts` names every other command with the reason. */
export const toolTable: readonly ToolEntry[] = [
  {
    name: 'queue_read',
    title: 'Read call queues and their agents',
    access: 'read',
    hints: ['idempotent'],
    commands: ['queue list', 'queue show', 'queue members'],
  },
  {
    name: 'people_read',
    title: 'Find people and read their presence',
    access: 'read',
    hints: ['idempotent'],
    commands: ['agent list', 'agent show', 'agent availability', 'presence show'],
  },
  {
    name: 'message_read',
    title: 'Read texts, pager messages, voicemails and faxes',
    access: 'read',
    hints: ['idempotent'],
    commands: [
      'message list',
      'message show',
      'message thread',
      'message report',
      'voicemail list',
      'fax list',
      'fax status',
      'sms list',
      'sms thread',
      'sms numbers',
      'sms batches',
      'sms batch',
    ],
  },
  {
    name: 'call_read',
    title: 'Read calls',
    access: 'read',
    hints: ['idempotent'],
    commands: [
      'calllog list',
      'calllog show',
      'calllog active',
      'calllog stats',
      'ringout status',
      'ringout numbers',
      'ringout caller-ids',
    ],
    without: ['report', 'parents', 'watch', 'interval', 'database'],
  },
  {
    name: 'call_handling_read',
    title: 'Read business hours and answering rules',
    access: 'read',
    hints: ['idempotent'],
    commands: ['hours list', 'rule list'],
  },
  {
    name: 'event_read',
    title: 'Read received events, event subscriptions and chat webhooks',
    access: 'read',
    hints: ['idempotent'],
    commands: [
      'events list',
      'events show',
      'events dlq',
      'subscribe list',
      'subscribe show',
      'webhook list',
    ],
    without: ['redeliver', 'drop', 'showSecrets'],
  },
  {
    name: 'mailbox_copy_read',
    title: 'Search the local mailbox copy and the local call database',
    access: 'read',
    hints: ['idempotent'],
    commands: ['sync status', 'sync search', 'sync sql', 'sync verify'],
    without: ['database'],
  },
  {
    name: 'history_read',
    title: 'Read who changed what: past runs, sent messages, and the audit trail of the account',
    access: 'read',
    hints: ['idempotent'],
    commands: ['history list', 'history show', 'outcome list', 'audit list'],
  },
  {
    name: 'account_status',
    title: 'Check sign-in, settings, connection and policy',
    access: 'read',
    hints: ['idempotent'],
    commands: ['status', 'doctor', 'config list', 'profile list', 'policy test'],
    without: ['report', 'publicUrl', 'port'],
  },
  {
    name: 'file_diff',
    title: 'Compare files with the current account',
    // A reading tool would show parts of any file to the agent: an error message quotes the line that it cannot read.
    access: 'local',
    hints: ['idempotent'],
    commands: ['account diff', 'queue diff'],
  },
  {
    name: 'schema',
    title: 'Read the JSON Schema of a command',
    access: 'read',
    hints: ['idempotent'],
    commands: ['schema'],
  },
  {
    name: 'mailbox_sync',
    title: 'Update the local mailbox copy and the local call database',
    access: 'local',
    // The copy drops the content of messages that were deleted on the service.
    hints: ['destructive', 'idempotent'],
    commands: ['sync', 'sync retry', 'calllog sync'],
    without: ['watch', 'readyFile', 'sweep', 'transport', 'channelUrl', 'port', 'publicUrl', 'database'],
  },
  {
    name: 'download',
    title: 'Download faxes, voicemails and recordings',
    access: 'local',
    // Without --clobber, which the tool does not offer, existing files stay unchanged.
    hints: ['idempotent'],
    commands: ['download'],
    without: ['uri', 'file', 'sheet', 'parents', 'clobber', 'manifest'],
  },
  {
    name: 'queue_change',
    title: 'Add and remove queue agents',
    access: 'change',
    hints: ['destructive', 'idempotent'],
    commands: ['queue assign', 'queue unassign', 'queue apply', 'queue availability'],
    without: writtenFiles,
  },
  {
    name: 'presence_set',
    title: 'Change presence',
    access: 'change',
    hints: ['destructive', 'idempotent'],
    commands: ['presence set'],
    without: writtenFiles,
  },
  {
    name: 'message_mark',
    title: 'Mark messages as read or unread',
    access: 'change',
    hints: ['destructive', 'idempotent'],
    commands: ['message read', 'message unread'],
  },
  {
    name: 'subscription_change',
    title: 'Create and change event subscriptions',
    access: 'change',
    // Each "subscribe create" makes another subscription, which may send events to any address.
    hints: ['destructive', 'openWorld'],
    commands: ['subscribe create', 'subscribe update', 'subscribe renew'],
    without: ['showSecrets'],
  },
  {
    name: 'people_change',
    title: 'Change people in bulk',
    access: 'change',
    hints: ['destructive', 'idempotent'],
    commands: ['agent apply'],
    without: writtenFiles,
  },
  {
    name: 'call_handling_change',
    title: 'Change business hours and answering rules',
    access: 'change',
    hints: ['destructive', 'idempotent'],
    commands: ['hours apply', 'rule apply'],
    without: ['errors'],
  },
  {
    name: 'history_undo',
    title: 'Undo a run',
    access: 'change',
    hints: ['destructive', 'idempotent'],
    commands: ['history undo'],
  },
  {
    name: 'sms_send',
    title: 'Send text messages',
    access: 'irreversible',
    hints: ['destructive', 'openWorld'],
    commands: ['sms send'],
    without: writtenFiles,
  },
  {
    name: 'pager_send',
    title: 'Send pager messages',
    access: 'irreversible',
    hints: ['destructive', 'openWorld'],
    commands: ['pager send', 'pager reply'],
  },
  {
    name: 'fax_send',
    title: 'Send and cancel faxes',
    access: 'irreversible',
    hints: ['destructive', 'openWorld'],
    commands: ['fax send', 'fax resend', 'fax cancel'],
  },
  {
    name: 'ringout',
    title: 'Place and cancel a call between two phones',
    access: 'irreversible',
    hints: ['destructive', 'openWorld'],
    commands: ['ringout start', 'ringout cancel'],
  },
  {
    name: 'message_restore',
    title: 'Restore messages, which sends canceled faxes',
    // The service sends a canceled fax that is restored (FAX-7).
    access: 'irreversible',
    hints: ['destructive', 'openWorld'],
    commands: ['message restore'],
  },
  {
    name: 'message_delete',
    title: 'Delete messages',
    access: 'irreversible',
    hints: ['destructive', 'idempotent'],
    commands: ['message delete', 'message purge'],
  },
  {
    name: 'subscription_delete',
    title: 'Delete event subscriptions',
    access: 'irreversible',
    hints: ['destructive', 'idempotent'],
    commands: ['subscribe delete'],
  },
];
