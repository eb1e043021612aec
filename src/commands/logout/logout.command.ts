import { defineCommand } from '../../runtime/define.ts';

export const logoutCommand = defineCommand<object>({
  path: ['logout'],
  summary: 'End the session and forget its tokens',
  description:
    'Asks the service to revoke the refresh token and then the access token, and removes both from this machine whatever it answers. The profile stays.',
  options: {},
  examples: [{ comment: 'Sign out of another profile', command: 'ucctl logout -p prod' }],
  rateGroup: 'Auth',
  jsonFields: ['profile', 'origin', 'signedOut', 'revocations'],
  load: async () => (await import('./logout.ts')).logout,
});
