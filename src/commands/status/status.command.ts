import { defineCommand } from '../../runtime/define.ts';

export const statusCommand = defineCommand<object>({
  path: ['status'],
  summary: 'Show who is signed in, where, until when, and where the session is kept',
  description: 'Reads what is stored; sends nothing. Exit code 4 means that nobody is signed in.',
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
    'ownerId',
    'permissions',
    'signedInAt',
    'expiresAt',
    'refreshExpiresAt',
    'store',
  ],
  exitCodes: { 4: 'nobody is signed in' },
  load: async () => (await import('./status.ts')).status,
});
