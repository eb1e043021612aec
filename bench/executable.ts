import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode } from '../scripts/release/executable.ts';
import { cpuResult, resultOf, spread, wallMilliseconds, type Command } from './measure.ts';
import { bareHttp, bareUndici, listPath } from './limits.ts';
import type { Limit, Outcome, Result } from './report.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';
import { hasCommand } from './timed.ts';

const rounds = scaled(15, 3);
/** Goal of each command line, as a ratio to `node -e 0`. */
const goals: readonly (readonly [string, number])[] = [
  ['--version', 1.1],
  ['queue --help', 1.4],
];

/** Processor time of the single executable relative to the Node that it contains, and wall time of one request relative to curl. */
export async function executable(): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-executable-'));
  try {
    execFileSync(process.execPath, ['scripts/run.mjs', 'release', 'executable', '--dir', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const file = join(folder, readdirSync(folder).find((name) => name.startsWith('ucctl')) ?? '');
    const to: Command = { argv: [fetchNode(), '-e', '0'] };
    const results = goals.map(([words, goal]) =>
      cpuResult(`executable, ${words}`, { of: { argv: [file, ...words.split(' ')] }, to }, goal, rounds),
    );
    return [...results, ...(await request(file, to, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same request by the executable, by minimal programs and by curl, alternately. `folder` gets a bundle and cached code. */
async function request(file: string, empty: Command, folder: string): Promise<readonly Outcome[]> {
  const name = 'executable, one request, wall time relative to curl';
  if (!hasCommand('curl')) return [{ name, skipped: 'curl is not installed' }];
  const sandbox = await startSandboxProcess(['--rate-limits', 'off']);
  try {
    const own: Command = {
      argv: [file, 'queue', 'list', '-o', 'json'],
      env: { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: sandbox.token },
    };
    const url = sandbox.url + listPath;
    const peer: Command = { argv: ['curl', '-s', '-f', '-H', `authorization: Bearer ${sandbox.token}`, url] };
    const [node] = empty.argv;
    const [, ...bare] = bareHttp(sandbox);
    const [, ...undici] = await bareUndici(sandbox, folder);
    return [
      resultOf(name, toPeer(own, peer), 4, 'at most', 'x') satisfies Result,
      wallLimit('minimal program with undici, wall time relative to curl', { argv: [node, ...undici] }, peer),
      wallLimit(
        'minimal program with node:http, wall time relative to curl',
        { argv: [node, ...bare] },
        peer,
      ),
      wallLimit('node -e 0, wall time relative to curl', empty, peer),
    ];
  } finally {
    await sandbox.stop();
  }
}

/** Wall time relative to the peer in each round. The first pair warms up. */
function toPeer(command: Command, peer: Command): readonly number[] {
  const ratios = Array.from({ length: rounds + 1 }, () => wallMilliseconds(command) / wallMilliseconds(peer));
  return ratios.slice(1);
}

function wallLimit(name: string, command: Command, peer: Command): Limit {
  const { median, min, max, noise } = spread(toPeer(command, peer));
  return { name, value: median, min, max, noise, unit: 'x', isLimit: true };
}
