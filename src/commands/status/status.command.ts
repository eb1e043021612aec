import { defineCommand } from '../../runtime/define.ts';

export const statusCommand = defineCommand<object>({
  path: ['status'],
  summary: 'Show who is signed in, where, until when, and where the session is kept',
  description:
    'Reads what is stored; sends nothing. Exit code 4 means that nobody is signed in. Permissions are listed with all that they include; they are ' +
    'unknown after a sign-in by password, because the service does not tell them then.',
  options: {},
  examples: [
    { comment: 'In a script', command: 'ucctl status --quiet >/dev/null || ucctl login' },
    { comment: 'Until when the access token lives', command: 'ucctl status -o json' },
  ],
  jsonFields: [
    'profile',
    'signedIn',
    'origin',
    'clientId',
    'flow',
    'username',
    'extension',
    'session',
    'account',
    'ownerId',
    'permissions',
    'signedInAt',
    'expiresAt',
    'refreshExpiresAt',
    'renewable',
    'store',
  ],
  exitCodes: { 4: 'nobody is signed in' },
  watch: true,
  load: async () => (await import('./status.ts')).status,
});
