import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../bench/measure.ts';
import { checkShown, secretsOfEnvironment } from '../support/secrets.ts';
import { startSandboxProcess, type SandboxProcess } from '../../bench/sandbox-process.ts';

/**
 * What the commonest commands load: files of the program, KB of them, and modules of Node beyond those of an empty script. One more of any is a failure:
 * either it can be loaded later, or it is worth what every start then pays (`npm run bench -- startup`) and the row changes with it. Bytes have some
 * room for lines; a new dependency does not fit in.
 */
const bounds: readonly (readonly [command: string, files: number, kilobytes: number, ofNode: number])[] = [
  ['__complete bash ucctl', 2, 17, 1],
  ['--version', 1, 3, 1],
  ['--help', 1, 3, 1],
  ['queue --help', 7, 86, 2],
  ['queue list -o json', 14, 520, 36],
  ['queue list -o table', 16, 570, 36],
  ['sms send --to +14155550123 --yes hello', 42, 690, 58],
];

interface Loaded {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly builtins: readonly string[];
}

let sandbox: SandboxProcess;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ucctl-loaded-'));
  sandbox = await startSandboxProcess(['--rate-limits', 'off']);
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(home, { recursive: true });
});

function loadedBy(args: readonly string[]): Loaded {
  const file = join(home, 'loaded.json');
  const env = cleanEnvironment({
    HOME: home,
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: sandbox.token,
    UCCTL_STATE_DIR: home,
    UCCTL_CONFIG_DIR: home,
    UCCTL_CACHE_DIR: join(home, 'cache'),
    UCCTL_LOADED: file,
  });
  const run = ['--require', './test/bench/loaded.cjs', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, run, { env, encoding: 'utf8' });
  checkShown(secretsOfEnvironment(env), run, { stdout, stderr });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(readFileSync(file, 'utf8')) as Loaded;
}

describe('loaded at the start', () => {
  it.each(bounds)('by %s', (command, files, kilobytes, ofNode) => {
    const words = ['bin/ucctl.cjs', ...command.split(' ')];
    // As users run it: the first run also writes the compiled code.
    loadedBy(words);
    const loaded = loadedBy(words);
    const empty = new Set(loadedBy(['test/bench/empty.cjs']).builtins);
    const builtins = loaded.builtins.filter((name) => !empty.has(name));
    const names = loaded.files.map((name) => basename(name)).join(' ');
    expect(loaded.files.length, `files: ${names}`).toBeLessThanOrEqual(files);
    expect(loaded.bytes / 1000).toBeLessThanOrEqual(kilobytes);
    // Other versions of Node divide themselves otherwise.
    const counted = process.versions.node.startsWith('20.') ? builtins : [];
    expect(counted.length, `of Node: ${counted.join(' ')}`).toBeLessThanOrEqual(ofNode);
  });

  it('draws charts with the library for a report only', () => {
    const words = ['bin/ucctl.cjs', 'calllog', 'stats'];
    const charts = (args: readonly string[]): readonly string[] =>
      loadedBy(args)
        .files.map((name) => basename(name))
        .filter((name) => /^(charts|html-report)-/.test(name));
    expect(charts(words)).toEqual([]);
    expect(charts([...words, '--report', join(home, 'report.html')])).toHaveLength(2);
  });
});
