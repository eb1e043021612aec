import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { statusRows } from './status.rows.ts';

export const statusCommand = defineCommand<object>({
  path: ['status'],
  summary: 'Show the signed-in user and the session expiry',
  description:
    'Shows the stored session: user, service, permissions, expiry and token store. Sends no requests. ' +
    'With UCCTL_TOKEN, there is no stored session, and ucctl doctor checks whether the service accepts the token.',
  details:
    'The list of permissions also contains permissions that other permissions include. The permissions are unknown if the service did not report them at the sign-in: a sign-in with a password never reports them, and a sign-in with an assertion only in dialect current. ' +
    'With UCCTL_TOKEN, the command exits with 0 even if the token is invalid, and the JSON record has tokenChecked: false. ' +
    'With -o json, the record also contains the rate limits, with the remaining requests if few are left.',
  options: {},
  examples: [
    {
      comment: 'Sign in if necessary, in a script',
      command: 'ucctl status --quiet >/dev/null || ucctl login',
    },
    { comment: 'Show all details, such as the access token expiry', command: 'ucctl status -o json' },
  ],
  output: record(statusRows),
  exitCodes: { 4: 'nobody is signed in' },
  watch: true,
  load: async () => (await import('./status.ts')).status,
});
