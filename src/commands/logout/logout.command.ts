import { defineCommand } from '../../runtime/define.ts';
import type { LogoutOptions } from './logout.ts';

export const logoutCommand = defineCommand<LogoutOptions>({
  path: ['logout'],
  summary: 'End the session and forget its tokens',
  description:
    'Asks the service to revoke the refresh token and then the access token, and removes both from this machine whatever it answers; exit 1 when it did not confirm. The profile stays.',
  options: {
    verify: {
      type: 'boolean',
      summary: 'Try the former access token once; exit 1 unless the service refuses it',
    },
  },
  examples: [
    { comment: 'Sign out of another profile', command: 'ucctl logout -p prod' },
    { comment: 'Be sure that the token is dead', command: 'ucctl logout --verify' },
  ],
  mutates: true,
  rateGroup: 'Auth',
  jsonFields: ['profile', 'origin', 'signedOut', 'revocations', 'verified'],
  load: async () => (await import('./logout.ts')).logout,
});
