import { defineCommand } from '../../runtime/define.ts';
import { serviceOptions } from '../../runtime/service-options.ts';
import { lines } from '../../runtime/output-schema.ts';
import { runRows } from './fleet.rows.ts';
import type { WorkerOptions } from './worker.ts';

export const fleetWorker = defineCommand<WorkerOptions>({
  path: ['fleet', 'worker'],
  summary: 'Execute the tasks of the fleet until Ctrl-C',
  description:
    'You can start any number of workers on any number of machines. Each worker claims a due task with a lease, ' +
    'and stores the reply only if it still owns the task. The tasks of a lost worker become due when their leases expire.',
  details:
    'Before a worker claims a task, it reserves a request in the shared rate budget. The worker prints a line for each attempt that found changes or failed. An interrupted worker releases its tasks. ' +
    'Workers of different ucctl versions can run at the same time if their schema versions differ by at most one.',
  timesWarnings: true,
  options: {
    concurrency: {
      type: 'integer',
      min: 1,
      max: 32,
      value: 'N',
      default: 4,
      summary: 'Tasks to execute at the same time, within the rate limits',
    },
    tasks: {
      type: 'list',
      choices: ['messages', 'calls', 'media'],
      value: 'TASK,...',
      summary: 'Kinds of tasks to execute; default: all',
    },
    lease: {
      type: 'duration',
      advanced: true,
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 600,
      default: 8,
      summary: 'Time after which the tasks of a lost worker become due again',
    },
    once: { type: 'boolean', summary: 'Exit when no task is due' },
    all: { type: 'boolean', summary: 'Also show attempts without changes' },
    ...serviceOptions,
  },
  examples: [
    { comment: 'Execute tasks until Ctrl-C', command: 'ucctl fleet worker' },
    {
      comment: 'Execute the due tasks and exit, for example from cron',
      command: 'ucctl fleet worker --once',
    },
  ],
  permissions: ['ReadMessages', 'ReadCallLog', 'ReadAccounts'],
  rateGroup: 'Light',
  output: lines(runRows),
  exitCodes: {
    0: 'stopped by Ctrl-C or ucctl fleet drain, or no task is due (--once)',
    4: 'the worker cannot use any of the sign-ins',
    11: 'the archive contains the data of another account',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./worker.ts').then((m) => m.worker),
});
