import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode } from '../scripts/release/executable.ts';
import { cpuResult, resultOf, wallMilliseconds, type Command } from './measure.ts';
import type { Outcome, Result } from './report.ts';
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
    return [...results, await request(file)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same request by the executable and by curl, alternately. */
async function request(file: string): Promise<Outcome> {
  const name = 'executable, one request, wall time relative to curl';
  if (!hasCommand('curl')) return { name, skipped: 'curl is not installed' };
  const sandbox = await startSandboxProcess(['--rate-limits', 'off']);
  try {
    const own: Command = {
      argv: [file, 'queue', 'list', '-o', 'json'],
      env: { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: sandbox.token },
    };
    const url = `${sandbox.url}/restapi/v1.0/account/~/extension?type=Department&page=1&perPage=1000`;
    const peer: Command = { argv: ['curl', '-s', '-f', '-H', `authorization: Bearer ${sandbox.token}`, url] };
    const ratios = Array.from({ length: rounds + 1 }, () => wallMilliseconds(own) / wallMilliseconds(peer));
    // The first pair warms up.
    return resultOf(name, ratios.slice(1), 4, 'at most', 'x') satisfies Result;
  } finally {
    await sandbox.stop();
  }
}
