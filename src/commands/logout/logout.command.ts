import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { logoutRows } from './logout.rows.ts';
import type { LogoutOptions } from './logout.ts';

export const logoutCommand = defineCommand<LogoutOptions>({
  path: ['logout'],
  summary: 'Sign out and revoke the tokens',
  description:
    'Removes the session from this machine, then asks the service to revoke the refresh token and the access token. ' +
    'Does not delete the profile, nor the stored keys of subscriptions and addresses of chat webhooks: see ucctl profile remove.',
  details:
    'The exit code is 1 if the service does not confirm the revocation. Without --timeout and --max-wait, ucctl waits at ' +
    'most 10 s for a slow or busy service.\n\n' +
    'The service also confirms a revocation that had no effect. With --verify, ucctl sends one request with the revoked ' +
    'access token to check that the service rejects it.',
  options: {
    verify: {
      type: 'boolean',
      summary: 'Check that the service rejects the revoked access token; exit with 1 if it does not',
    },
  },
  examples: [
    { comment: 'Sign out of another profile', command: 'ucctl logout -p prod' },
    { comment: 'Check that the token no longer works', command: 'ucctl logout --verify' },
  ],
  mutates: true,
  rateGroup: 'Auth',
  output: record(logoutRows),
  load: async () => (await import('./logout.ts')).logout,
});
