import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { sessionRows } from './fleet.rows.ts';
import type { SessionOptions } from './session.ts';

export const fleetSession = defineCommand<SessionOptions>({
  path: ['fleet', 'session'],
  summary: 'List, add or remove sign-ins that all workers use',
  description:
    'The service counts requests per user and app, so sign-ins of several users copy faster. A worker uses its own profile and all sign-ins of this list. ' +
    'The sessions must be in the store: set UCCTL_STORE_KEY_FILE on all machines before you sign in.',
  details:
    'The user of each sign-in should be allowed to read all enrolled mailboxes. If the service rejects a task with a sign-in, workers execute the task with the others, and the list shows the rejection.',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['list', 'add', 'remove'],
      default: 'list',
      value: 'ACTION',
      summary: 'Action; add and remove apply to the profile selected with -p',
    },
  },
  examples: [{ comment: 'List the sign-ins that all workers use', command: 'ucctl fleet session' }],
  output: list(sessionRows),
  exitCodes: {
    3: 'the fleet has no sign-in of this profile',
    4: 'the profile is not signed in',
    11: 'the archive contains the data of another account',
    12: 'the session is not in the store, or ucctl cannot use the store',
  },
  load: () => import('./session.ts').then((m) => m.session),
});
