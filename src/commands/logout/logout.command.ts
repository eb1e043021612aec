import { defineCommand } from '../../runtime/define.ts';
import type { LogoutOptions } from './logout.ts';

export const logoutCommand = defineCommand<LogoutOptions>({
  path: ['logout'],
  summary: 'End the session and forget its tokens',
  description:
    'Removes the session from this machine, then asks the service to revoke the refresh token and the access token; exit 1 when it did not confirm. A service that is slow or busy is ' +
    'waited for 10 s, unless --timeout or --max-wait say otherwise. The profile stays.',
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
