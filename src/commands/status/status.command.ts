import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { statusRows } from './status.rows.ts';

export const statusCommand = defineCommand<object>({
  path: ['status'],
  summary: 'Show who is signed in, and until when',
  description:
    'Shows the stored session: user, service, permissions, expiry and token store. Sends no requests.',
  details:
    'Permissions are listed with all permissions that they include. They are unknown after a sign-in by password, because ' +
    'the service does not report them then.',
  options: {},
  examples: [
    {
      comment: 'In a script, sign in if necessary',
      command: 'ucctl status --quiet >/dev/null || ucctl login',
    },
    { comment: 'Show all details, such as the expiry of the access token', command: 'ucctl status -o json' },
  ],
  output: record(statusRows),
  exitCodes: { 4: 'nobody is signed in' },
  watch: true,
  load: async () => (await import('./status.ts')).status,
});
