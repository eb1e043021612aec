import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretServiceMissing, startSecretService } from '../test/support/secret-service.ts';
import { signInToStore, startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import {
  cleanEnvironment,
  cpuResult,
  pairedWallDifference,
  peakMegabytes,
  resultOf,
  run,
  type Command,
} from './measure.ts';
import { bareHttp, bareUndici, cpuLimit } from './limits.ts';
import { comparePeers } from './peers.ts';
import type { Outcome, Result } from './report.ts';
import { scaled } from './scaled.ts';

const rounds = scaled(15, 3);
const baseline: Command = { argv: ['node', '-e', '0'] };
const ucctl = (...args: string[]): [string, ...string[]] => ['node', 'bin/ucctl.cjs', ...args];

/** Processor time of whole commands as a ratio to `node -e 0`, paired in one run. */
export async function startup(): Promise<readonly Outcome[]> {
  const sandbox = await startSandboxProcess(['--rate-limits', 'off']);
  try {
    const session = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: sandbox.token };
    return [
      measure('--version', ucctl('--version'), 1.3),
      measure('--help', ucctl('--help'), 1.3),
      measure('help of a noun', ucctl('queue', '--help'), 1.3),
      completion(session),
      measure(
        'one request, json, token from the environment',
        ucctl('queue', 'list', '-o', 'json'),
        2.5,
        session,
      ),
      measure('one request, table', ucctl('queue', 'list', '-o', 'table'), 3.2, session),
      ...(await limits(sandbox)),
      memory(session),
      ...(await fromKeychain(sandbox)),
      ...comparePeers(process.env['UCCTL_BENCH_PEER'], rounds),
    ];
  } finally {
    await sandbox.stop();
  }
}

/** The first answer of a completion whose values are in the cache, as after an earlier command. */
function completion(env: Readonly<Record<string, string>>): Result {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-completion-'));
  try {
    const cached = { ...env, UCCTL_CACHE_DIR: folder };
    run({ argv: ucctl('queue', 'list', '-o', 'json'), env: cached });
    const argv = ucctl('__complete', 'bash', 'ucctl queue show ');
    const [node, ...args] = argv;
    const { stdout } = spawnSync(node, args, { encoding: 'utf8', env: cleanEnvironment(cached) });
    if (stdout.split('\n').length < 3) throw new Error('bench: the completion offers no queue');
    const of: Command = { argv, env: cached, piped: true };
    const to: Command = { ...baseline, piped: true };
    return cpuResult('completion with values from the cache', { of, to }, 1.3, rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same request by minimal programs: the limit of the two rows above. */
async function limits(sandbox: SandboxProcess): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-limit-'));
  try {
    const row = (name: string, argv: Command['argv']): Outcome => cpuLimit(name, { argv }, baseline, rounds);
    return [
      row('one request, minimal program with undici', await bareUndici(sandbox, folder)),
      row('one request, minimal program with node:http', bareHttp(sandbox)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function memory(env: Readonly<Record<string, string>>): Result {
  const argv = ucctl('queue', 'list', '-o', 'json');
  const ratios = Array.from({ length: rounds }, () => peakMegabytes({ argv, env }) / peakMegabytes(baseline));
  return resultOf('peak memory of one request', ratios, 1.6, 'at most', 'x');
}

function measure(
  name: string,
  argv: readonly [string, ...string[]],
  goal: number,
  env?: Readonly<Record<string, string>>,
): Result {
  return cpuResult(name, { of: { argv, ...(env && { env }) }, to: baseline }, goal, rounds);
}

/** The same request with the session in a real keychain; needs a Secret Service. */
async function fromKeychain(sandbox: SandboxProcess): Promise<readonly Outcome[]> {
  const name = 'one request, json, token from the keychain';
  const missing = secretServiceMissing();
  if (missing !== undefined) return [{ name, skipped: missing }];
  const keyring = await startSecretService('unlocked');
  try {
    const env = { ...keyring.env, UCCTL_BASE_URL: sandbox.url };
    signInToStore(sandbox, env);
    const argv = ucctl('queue', 'list', '-o', 'json');
    const bare: Command = { argv: ['node', 'bench/bare-request.cjs', 'keychain'], env };
    return [
      measure(name, argv, 3.2, env),
      cpuLimit('minimal program that only reads an item of the keychain', bare, baseline, rounds),
      addedByKeychain(sandbox, argv, env),
    ];
  } finally {
    await keyring.stop();
  }
}

/** The wall time of reading the token, compared with the same request with the token in the environment. */
function addedByKeychain(
  sandbox: SandboxProcess,
  argv: Command['argv'],
  env: Readonly<Record<string, string>>,
): Result {
  const { median, min, max, noise } = pairedWallDifference(
    { argv, env },
    { argv, env: { ...env, UCCTL_TOKEN: sandbox.token } },
    rounds,
  );
  return {
    name: 'reading the token from the keychain adds',
    value: median,
    min,
    max,
    noise,
    goal: 60,
    sense: 'at most',
    unit: ' ms',
  };
}
