import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startSandbox, type RequestLogEntry, type Sandbox } from '../../src/sandbox/index.ts';
import { startUcctl, type Ended } from '../../test/support/process.ts';
import { runUcctl } from '../../test/support/run-ucctl.ts';
import { pathsIn } from '../../test/support/paths.ts';
import { sandboxHttp, userOf } from '../../test/support/sandbox.ts';
import { runCrowd } from './processes.ts';
import { percentile, runAll, timeLimit, type Result, type Size } from './result.ts';
import { openSlowGate, type SlowGate } from './slow-gate.ts';

const hour = 3_600_000;
const holdMilliseconds = 400;

const sizes = {
  full: { runs: 20, processes: 50, crowd: 200, kills: 40, stops: [2, 10, 60], overdue: true },
  // In test/auth/processes.outer.test.ts, twelve processes renew a session. Here, three processes are enough to show
  // that others wait for a suspended process.
  reduced: { runs: 1, processes: 3, crowd: 0, kills: 3, stops: [1], overdue: false },
} as const;

/** Single-use refresh tokens with many processes (promises 1 to 5 of docs/promises.md). */
export async function run(size: Size): Promise<readonly Result[]> {
  const { runs, processes, crowd, kills, stops, overdue } = sizes[size];
  const parts = [
    async () => [await renewConcurrently(runs, processes)],
    ...(crowd > 0 ? [async () => [await renewConcurrently(1, crowd)]] : []),
    () => killed(kills, timeLimit(size, 1000)),
    async () => [await suspended(stops, processes)],
    ...(overdue ? [async () => [await suspendedTooLong()]] : []),
  ];
  return (await runAll(parts, size)).flat();
}

interface Stage {
  readonly sandbox: Sandbox;
  /**
   * Signs in with a session whose access token has expired, locally and at the service. Returns the environment for
   * further commands.
   */
  signIn(baseUrl?: string): Promise<Readonly<Record<string, string>>>;
  /** Replies of the token endpoint since the last call. */
  grants(): readonly RequestLogEntry[];
  close(): Promise<void>;
}

/** Strict: a refresh token can be used once. */
async function openStage(): Promise<Stage> {
  const sandbox = await startSandbox({
    startTime: Date.now(),
    settings: { refreshGraceSeconds: 0, requestLogRows: 100_000, sessionsPerUserAndApp: 1000 },
  });
  const home = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  let seen = 0;
  let folders = 0;
  const grants: Stage['grants'] = () => {
    const all = sandbox.requestLog().filter(({ path }) => path.endsWith('/oauth/token'));
    return all.slice(seen, (seen = all.length));
  };
  const signIn: Stage['signIn'] = async (baseUrl = sandbox.url) => {
    const paths = pathsIn(join(home, String(++folders)));
    const { username, extension, password } = userOf(sandbox, '102');
    const env = {
      UCCTL_BASE_URL: baseUrl,
      UCCTL_STORE: 'file',
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
    };
    const line = `login --flow password --username ${username} --extension ${extension}`;
    const http = sandboxHttp(sandbox);
    const { exit, stderr } = await runUcctl(line, {
      sandbox: { http: (request) => http({ ...request, url: new URL(request.url.pathname, sandbox.url) }) },
      paths,
      env: { ...env, UCCTL_PASSWORD: password },
      now: () => Date.now() - 2 * hour,
    });
    if (exit !== 0) throw new Error(`the sign-in of the proof failed: ${stderr}`);
    await sandbox.clock.advance(2 * hour);
    grants();
    // In the test suite, the processes use its compiled code. test/auth/processes.outer.test.ts starts processes without it.
    const own = { HOME: join(home, String(folders)), UCCTL_CONFIG_DIR: paths.config };
    return { ...env, ...own, UCCTL_STATE_DIR: paths.state };
  };
  const close = async (): Promise<void> => {
    await sandbox.close();
    rmSync(home, { recursive: true, force: true });
  };
  return { sandbox, signIn, grants, close };
}

const command = ['queue', 'list', '-o', 'json'];

async function renewConcurrently(runs: number, processes: number): Promise<Result> {
  const stage = await openStage();
  const ended: Omit<Ended, 'signal'>[] = [];
  const refreshes: number[] = [];
  let reuse = 0;
  try {
    for (let round = 0; round < runs; round += 1) {
      const env = await stage.signIn();
      ended.push(...(await runCrowd(processes, command, env)));
      const grants = stage.grants();
      refreshes.push(grants.length);
      reuse += grants.filter(({ status }) => status !== 200).length;
    }
  } finally {
    await stage.close();
  }
  const good = ended.filter(({ exit }) => exit === 0).length;
  const times = ended.map(({ milliseconds }) => milliseconds);
  const most = Math.max(...refreshes);
  return {
    promise: `${processes} processes with an expired token, ${runs} runs`,
    figure:
      `exit 0: ${good} of ${ended.length}; refreshes per run ${most}; reuse ${reuse}; ` +
      `slowest ${(Math.max(...times) / 1000).toFixed(1)} s, p95 ${(percentile(times, 0.95) / 1000).toFixed(1)} s`,
    holds: good === ended.length && most === 1 && reuse === 0,
  };
}

/**
 * Kills the process that renews the session, at times spread over the renewal, while another one waits.
 * @param limit of the other process's wait after the kill, in milliseconds.
 */
async function killed(kills: number, limit: number): Promise<readonly Result[]> {
  const stage = await openStage();
  const gate = await openGate(stage);
  const recoveries: number[] = [];
  let lost = 0;
  let silent = 0;
  try {
    for (let round = 0; round < kills; round += 1) {
      const env = await stage.signIn(gate.url);
      const asked = gate.nextTokenRequest();
      const holder = startUcctl(command, { env });
      await asked;
      const waiting = startUcctl(command, { env });
      // Spread evenly over the time before, during and after the service's work, and shortly after its reply.
      await delay((round / kills) * (2 * holdMilliseconds + 100));
      holder.child.kill('SIGKILL');
      const at = performance.now();
      const next = gate.nextTokenRequest().then(() => performance.now() - at);
      await holder.ended;
      const end = await waiting.ended;
      const recovered = await Promise.race([next, Promise.resolve(performance.now() - at)]);
      recoveries.push(recovered);
      if (end.exit === 0) continue;
      const diagnosed = end.exit === 4 && /lost during a renewal/.test(end.stderr);
      if (diagnosed) lost += 1;
      else silent += 1;
    }
  } finally {
    await gate.close();
    await stage.close();
  }
  const worst = percentile(recoveries, 1);
  return [
    {
      promise: `if the process that renews is killed (at ${kills} points), other processes continue within 1 s`,
      figure: `p95 ${Math.round(percentile(recoveries, 0.95))} ms, worst ${Math.round(worst)} ms`,
      holds: percentile(recoveries, 0.95) <= limit,
    },
    {
      promise: 'if it is killed between reply and store, ucctl explains the loss, and one sign-in fixes it',
      figure: `${lost} of ${kills} in the window, all explained; unexplained ${silent}`,
      holds: silent === 0,
    },
  ];
}

/**
 * Suspends the process that renews the session while all others wait: the lock is not taken over, and no process
 * gives up.
 */
async function suspended(stops: readonly number[], processes: number): Promise<Result> {
  const stage = await openStage();
  const gate = await openGate(stage);
  const ended: Omit<Ended, 'signal'>[] = [];
  let grants = 0;
  let informed = 0;
  try {
    for (const seconds of stops) {
      const env = await stage.signIn(gate.url);
      const asked = gate.nextTokenRequest();
      const holder = startUcctl(command, { env });
      await asked;
      holder.child.kill('SIGSTOP');
      const waiting = runCrowd(processes - 1, command, env);
      await delay(seconds * 1000);
      holder.child.kill('SIGCONT');
      const others = await waiting;
      const goesOn = `the other process is suspended; to resume it: kill -CONT ${holder.child.pid}`;
      informed += others.filter(({ stderr }) => stderr.includes(goesOn)).length;
      ended.push(await holder.ended, ...others);
      grants += stage.grants().length;
    }
  } finally {
    await gate.close();
    await stage.close();
  }
  const good = ended.filter(({ exit }) => exit === 0).length;
  return {
    promise: `of ${processes} processes, the process that renews is suspended for ${stops.join(', ')} s`,
    figure:
      `exit 0: ${good} of ${ended.length}; refreshes ${grants} for ${stops.length} sessions; reuse ${grants - stops.length}; ` +
      `name the process they wait for and say that it is suspended: ${informed}`,
    holds: good === ended.length && grants === stops.length,
  };
}

/**
 * The suspension is long enough for the waiting processes to name the holder of the lock. The holder
 * succeeds after it resumes.
 */
async function suspendedTooLong(): Promise<Result> {
  const stage = await openStage();
  const gate = await openGate(stage);
  try {
    const env = await stage.signIn(gate.url);
    const asked = gate.nextTokenRequest();
    const holder = startUcctl(command, { env });
    await asked;
    holder.child.kill('SIGSTOP');
    const waiting = await startUcctl(command, { env }).ended;
    holder.child.kill('SIGCONT');
    const { exit, stderr } = await holder.ended;
    const named = waiting.stderr.includes(`(process ${holder.child.pid}, since `);
    const grants = stage.grants();
    return {
      promise: 'the process that renews is suspended for longer than others wait',
      figure:
        `the other ends after ${(waiting.milliseconds / 1000).toFixed(1)} s with exit ${waiting.exit}, naming the process: ${named}; ` +
        `the suspended process resumes and ends with exit ${exit}${exit === 0 ? '' : ` (${stderr.trim()})`}; refreshes ${grants.length}`,
      holds: waiting.exit === 12 && named && exit === 0 && grants.length === 1,
    };
  } finally {
    await gate.close();
    await stage.close();
  }
}

function openGate(stage: Stage): Promise<SlowGate> {
  return openSlowGate(stage.sandbox.url, () => ({ before: holdMilliseconds, after: holdMilliseconds }));
}
