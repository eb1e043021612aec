import { defineCommand } from '../../runtime/define.ts';
import type { SandboxExecOptions } from './exec.ts';

export const sandboxExec = defineCommand<SandboxExecOptions>({
  path: ['sandbox', 'exec'],
  summary: 'Run a command against a sandbox of its own, and end with its exit code',
  description:
    'Starts a sandbox in memory, sets the environment that points ucctl and other clients at it, with empty directories of its own for ' +
    'configuration and state, runs the command, and ends the sandbox. Made for CI jobs: several can run side by side.',
  options: {
    command: {
      type: 'list',
      commas: false,
      positional: true,
      required: true,
      value: 'COMMAND',
      summary: 'What to run and its arguments, after --',
    },
    seed: { type: 'integer', min: 0, default: 42, summary: 'Seed of its ids and tokens' },
    clock: { type: 'string', value: 'real|frozen|60x', default: 'real', summary: 'Clock of the sandbox' },
    rateLimits: {
      type: 'string',
      choices: ['realistic', 'off'],
      default: 'off',
      summary: 'Requests a minute as the service publishes them',
    },
    fixture: { type: 'string', value: 'NAME', summary: 'What it holds at the start' },
  },
  examples: [
    { comment: 'Tests against the service', command: 'ucctl sandbox exec -- npm test' },
    { comment: 'One look', command: "ucctl sandbox exec -- sh -c 'curl $UCCTL_BASE_URL/restapi/v1.0'" },
  ],
  exitCodes: { 12: 'the sandbox or the command cannot start' },
  load: () => import('./exec.ts').then((m) => m.sandboxExecCommand),
});
