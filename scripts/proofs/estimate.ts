import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { HttpSend } from '../../src/client/index.ts';
import type { DialectName } from '../../src/contract/dialects.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { fillLargeOffice } from '../../test/support/large-office.ts';
import { pathsIn } from '../../test/support/paths.ts';
import { runUcctl } from '../../test/support/run-ucctl.ts';
import { sandboxHttp, signInAs } from '../../test/support/sandbox.ts';
import type { Result, Size } from './result.ts';

/** The largest difference between the announced and the real time, as a share of the real time. */
const mostDifference = 0.05;

/**
 * Applies a plan under the rate limits of the sandbox, and compares the time that it took with the time that the plan
 * announced. The clock of the process passes only while something waits for it.
 */
export async function run(size: Size): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const dialect of ['spec', 'current'] as const) results.push(...(await prove(dialect, size)));
  return results;
}

interface Measured {
  readonly announcedSeconds: number;
  readonly realSeconds: number;
  /** Requests that the service rejected because of its rate limits. */
  readonly rejected: number;
}

async function prove(dialect: DialectName, size: Size): Promise<readonly Result[]> {
  const queues = size === 'full' ? 200 : 60;
  const assignments = size === 'full' ? 10_000 : 600;
  const { announcedSeconds, realSeconds, rejected } = await measure(dialect, queues, assignments);
  const difference = Math.abs(announcedSeconds - realSeconds) / realSeconds;
  const about = `${assignments} assignments in ${queues} queues, dialect ${dialect}`;
  return [
    {
      promise: 'applying a plan takes the time that the plan estimates',
      figure: `${about}: announced ${announcedSeconds} s, took ${realSeconds.toFixed(0)} s (${(difference * 100).toFixed(1)} %)`,
      holds: difference <= mostDifference,
    },
    { promise: 'no request exceeds a rate limit', figure: `${about}: ${rejected}`, holds: rejected === 0 },
  ];
}

async function measure(dialect: DialectName, queues: number, assignments: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-estimate-'));
  const clock = startProcessClock();
  try {
    const database = join(folder, 'office.db');
    const agents = assignments / queues;
    fillLargeOffice(database, { agents, queues });
    const lines = Array.from({ length: assignments }, (_, at) => {
      return `${50_000 + (at % queues)},${10_000 + Math.floor(at / queues)},add\n`;
    });
    await writeFile(join(folder, 'list.csv'), `queue,extension,action\n${lines.join('')}`);
    const sandbox = await startSandbox({ listen: false, database, dialect, rateLimits: 'realistic' });
    try {
      const env = {
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
        UCCTL_DIALECT: dialect,
      };
      const real = sandboxHttp(sandbox);
      let ended = 0;
      const http: HttpSend = (request) => {
        ended = Date.now();
        return real(request);
      };
      const run = (words: string) =>
        runUcctl(words, {
          sandbox: { http, env },
          cwd: folder,
          paths: pathsIn(join(folder, words.split(' ')[1] ?? '')),
          now: () => Date.now(),
          sleep: clock.sleep,
        });
      const plan = await run('queue plan -f list.csv -o json');
      const document = JSON.parse(plan.stdout) as { readonly requests: { readonly seconds: number } };
      // The requests of the plan no longer count.
      clock.pass(120_000);
      const started = Date.now();
      const { exit, stderr } = await run('queue apply -f list.csv --yes -q');
      if (exit !== 0) throw new Error(`the plan was not applied: exit ${exit}: ${stderr}`);
      const rejected = sandbox.requestLog().filter(({ status }) => status === 429).length;
      return {
        announcedSeconds: document.requests.seconds,
        realSeconds: (ended - started) / 1000,
        rejected,
      };
    } finally {
      await sandbox.close();
    }
  } finally {
    clock.restore();
    await rm(folder, { recursive: true, force: true });
  }
}

interface ProcessClock {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  pass(milliseconds: number): void;
  restore(): void;
}

/** Replaces the clock of this process: it is frozen, and advances while something waits for it. */
function startProcessClock(): ProcessClock {
  const real = Date.now;
  let now = real();
  Date.now = () => now;
  return {
    async sleep(milliseconds, signal) {
      const end = now + milliseconds;
      // Other tasks run first; another waiter may have advanced the clock meanwhile.
      for (let turns = 0; turns < 25; turns += 1) await turn();
      signal.throwIfAborted();
      now = Math.max(now, end);
    },
    pass(milliseconds) {
      now += milliseconds;
    },
    restore() {
      Date.now = real;
    },
  };
}
