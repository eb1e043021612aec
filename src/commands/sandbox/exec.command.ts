import { defineCommand } from '../../runtime/define.ts';
import { nothing } from '../../runtime/output-schema.ts';
import type { SandboxExecOptions } from './exec.ts';
import { clockDetails, clockOption, fixtureOption, seedOption } from './options.command.ts';

export const sandboxExec = defineCommand<SandboxExecOptions>({
  path: ['sandbox', 'exec'],
  summary: 'Run a command against a temporary sandbox',
  description:
    'Starts a sandbox in memory, runs the command with environment variables that connect the command to the sandbox, then stops the sandbox. ' +
    'Exits with the exit code of the command.',
  details:
    'The command uses separate, empty configuration and state folders, so several commands can run at the same time, for example in CI jobs.\n\n' +
    clockDetails,
  options: {
    command: {
      type: 'list',
      commas: false,
      isCommandLine: true,
      positional: true,
      required: true,
      value: 'COMMAND',
      summary: 'Command to run with its arguments, after --',
    },
    seed: seedOption,
    clock: clockOption,
    rateLimits: {
      type: 'string',
      choices: ['realistic', 'off'],
      default: 'off',
      summary: 'Enforce the rate limits of the service',
    },
    fixture: fixtureOption,
  },
  examples: [
    { comment: 'Run tests against a temporary sandbox', command: 'ucctl sandbox exec -- npm test' },
    {
      comment: 'Send a single request to a temporary sandbox',
      command: "ucctl sandbox exec -- sh -c 'curl $UCCTL_BASE_URL/restapi/v1.0'",
    },
  ],
  output: nothing,
  exitCodes: { 12: 'the sandbox or the command cannot start' },
  load: () => import('./exec.ts').then((m) => m.sandboxExecCommand),
});
