const inbox = 'reads the inbox on this machine';
const copy = 'reads the mailbox copy on this machine';
const settings = 'reads and writes the configuration of this machine';
const rehearsal = 'talks to the sandbox, not to a service';
const receiver = 'talks to a receiver of the user, not to a service';
const journal = 'reads the journals of this machine';
const database = 'talks to PostgreSQL, not to a service';
const shell = 'writes files of the shell or of man';
const portal = 'always ends with an explanation: queues are made in the portal';

/** Commands that read no reply of the service, with the reason. */
export const localCommands: Readonly<Record<string, string>> = {
  'queue create': portal,
  'queue delete': portal,
  'policy test': 'compares a number with the policy of the profile',
  'sync status': copy,
  'sync search': copy,
  'sync sql': copy,
  'sync export': copy,
  'sync erase': copy,
  'sync retry':
    'asks again, as sync does, for records that could not be copied; none of the harness is such a one',
  'webhook listen': 'listens; its subscription is made as by subscribe create, whose cases cover it',
  'webhook trigger': receiver,
  'webhook check': receiver,
  'events list': inbox,
  'events show': inbox,
  'events replay': inbox,
  'events export': inbox,
  'events import': inbox,
  'events dlq': inbox,
  logout: 'believes nothing of the reply to a revocation; test/commands/login covers it',
  status: 'shows what is known of the session on this machine',
  'outcome list': journal,
  'history list': journal,
  'history show': journal,
  schema: 'describes the commands',
  'profile list': settings,
  'profile use': settings,
  'profile show': settings,
  'profile add': settings,
  'profile rm': settings,
  'config list': settings,
  'config get': settings,
  'config set': settings,
  'config unset': settings,
  'config path': settings,
  'store init': database,
  'store migrate': database,
  'store status': database,
  'store check': database,
  'man install': shell,
  'man uninstall': shell,
  skill: 'prints a text of this version',
  'skill install': 'writes a text of this version',
  mcp: 'runs the other commands, whose cases cover it',
  'mcp calls': journal,
  'completion install': shell,
  'completion uninstall': shell,
  'completion script': shell,
  ...Object.fromEntries(
    [
      'start',
      'exec',
      'env',
      'status',
      'stop',
      'reset',
      'clock',
      'trigger',
      'traffic',
      'phone',
      'fault',
      'snapshot',
      'settings',
      'log',
      'posts',
      'delivery',
      'user',
      'token',
      'assertion',
    ].map((verb) => [`sandbox ${verb}`, rehearsal]),
  ),
};
