import { defineCommand } from '../../runtime/define.ts';
import type { SandboxStatusOptions } from './status.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxStatus = defineCommand<SandboxStatusOptions>({
  path: ['sandbox', 'status'],
  summary: 'Show a running sandbox: address, clock, what it holds',
  options: {
    showSecrets: {
      type: 'boolean',
      summary: 'Show passwords and client secrets, which are masked otherwise',
    },
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'Is one running?', command: 'ucctl sandbox status' }],
  jsonFields: [
    'url',
    'time',
    'clock',
    'rateLimits',
    'messages',
    'subscriptions',
    'pendingDeliveries',
    'faults',
    'traffic',
    'pid',
    'mediaUrl',
    'ca',
    'dialect',
    'accountId',
    'mainNumber',
    'brandId',
    'partnerAccountId',
    'queues',
    'groups',
    'users',
    'apps',
    'clientId',
    'clientSecret',
    'redirectUris',
  ],
  exitCodes: notRunning,
  watch: true,
  load: () => import('./status.ts').then((m) => m.sandboxStatusCommand),
});
