import { defineCommand } from '../../runtime/define.ts';
import type { SandboxEnvOptions } from './env.ts';

export const sandboxEnv = defineCommand<SandboxEnvOptions>({
  path: ['sandbox', 'env'],
  summary: 'Print export lines that point ucctl at the running sandbox',
  options: {
    readyFile: {
      type: 'string',
      value: 'FILE',
      summary: 'Ready file of a sandbox, instead of the last one started',
    },
  },
  examples: [
    { comment: 'Use the sandbox in this shell', command: 'eval "$(ucctl sandbox env)"' },
    { comment: 'A certain one', command: 'eval "$(ucctl sandbox env --ready-file ready.json)"' },
  ],
  jsonFields: [
    'UCCTL_BASE_URL',
    'UCCTL_CLIENT_ID',
    'UCCTL_CLIENT_SECRET',
    'UCCTL_MEDIA_HOSTS',
    'UCCTL_REDIRECT_URIS',
    'UCCTL_SANDBOX_USERNAME',
  ],
  exitCodes: { 12: 'no sandbox is running' },
  load: () => import('./env.ts').then((m) => m.sandboxEnvCommand),
});
