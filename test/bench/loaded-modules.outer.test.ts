import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../bench/measure.ts';
import { Exit } from '../../src/errors/command.ts';
import { checkShown, secretsOfEnvironment } from '../support/secrets.ts';
import { signInToStore, startSandboxProcess, type SandboxProcess } from '../../bench/sandbox-process.ts';
import { secretServiceMissing, startSecretService } from '../support/secret-service.ts';

/** Counts by major version of Node. Each version divides its own modules differently. */
type OfNode = Readonly<Record<20 | 22 | 24, number>>;

/**
 * What the most frequent commands load: files of the program, and modules of Node beyond those of an empty script. A start pays for each file, so a
 * new one is either loaded later or worth its cost (`npm run bench -- startup`), and then the row changes with it. The numbers are the exact counts, so
 * that one more file or module fails; Node 20 loads the most files. Bytes are reported, not bounded: a limit on them would shape texts.
 */
const bounds: readonly (readonly [command: string, files: number, ofNode: OfNode])[] = [
  ['__complete bash ucctl', 2, { 20: 1, 22: 1, 24: 1 }],
  ['--version', 1, { 20: 1, 22: 1, 24: 1 }],
  ['--help', 1, { 20: 1, 22: 1, 24: 1 }],
  ['queue --help', 1, { 20: 1, 22: 1, 24: 1 }],
  ['queue list -o json', 8, { 20: 6, 22: 3, 24: 3 }],
  ['queue list -o table', 10, { 20: 6, 22: 3, 24: 3 }],
  ['sms send --to +14155550123 --yes hello', 37, { 20: 39, 22: 33, 24: 34 }],
];
/** Files of the build for PostgreSQL, S3, NATS and traces. */
const ofSharedStore = /^(pg|postgres|store|fleet|s3|nats|event-stream|open-?telemetry)-/;

interface Loaded {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly builtins: readonly string[];
}

const missing = secretServiceMissing();

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

const ownToken = (): Readonly<Record<string, string>> => ({
  HOME: home,
  UCCTL_BASE_URL: sandbox.url,
  UCCTL_TOKEN: sandbox.token,
  UCCTL_STATE_DIR: home,
  UCCTL_CONFIG_DIR: home,
  UCCTL_CACHE_DIR: join(home, 'cache'),
});

/** What a run without input loads. The first run also writes the compiled code, as for users. */
function loadedBy(args: readonly string[], expectedStatus = 0, more = ownToken()): Loaded {
  const file = join(home, 'loaded.json');
  const env = cleanEnvironment({ ...more, UCCTL_LOADED: file });
  const run = ['--require', './test/bench/loaded.cjs', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, run, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  checkShown(secretsOfEnvironment(env), run, { stdout, stderr });
  expect({ status, stderr: status === expectedStatus ? '' : stderr }).toEqual({
    status: expectedStatus,
    stderr: '',
  });
  return JSON.parse(readFileSync(file, 'utf8')) as Loaded;
}

describe('loaded at the start', () => {
  it.for(bounds)('by %s', async ([command, files, ofNode], { annotate }) => {
    const words = ['bin/ucctl.cjs', ...command.split(' ')];
    // As users run it: the first run also writes the compiled code.
    loadedBy(words);
    // A text that was sent moments ago has a warning, which loads more.
    const loaded = loadedBy(words.map((word) => (word === 'hello' ? 'again' : word)));
    const empty = new Set(loadedBy(['test/bench/empty.cjs']).builtins);
    const builtins = loaded.builtins.filter((name) => !empty.has(name));
    const names = loaded.files.map((name) => basename(name)).join(' ');
    await annotate(
      `${loaded.files.length} files, ${Math.round(loaded.bytes / 1000)} kB, ${builtins.length} modules of Node`,
    );
    expect(loaded.files.length, `files: ${names}`).toBeLessThanOrEqual(files);
    const [major = ''] = process.versions.node.split('.');
    // Versions that are not in the table have no counts.
    const { [major]: most = Number.POSITIVE_INFINITY }: Readonly<Record<string, number>> = ofNode;
    expect(builtins.length, `of Node: ${builtins.join(' ')}`).toBeLessThanOrEqual(most);
  });

  it.skipIf(missing)('by a request with a session in the keychain, which does not open stdin', async () => {
    const keyring = await startSecretService('unlocked');
    try {
      const env = { ...keyring.env, UCCTL_BASE_URL: sandbox.url };
      signInToStore(sandbox, env);
      const words = ['bin/ucctl.cjs', 'queue', 'list', '-o', 'json'];
      loadedBy(words, 0, env);
      const { builtins, files } = loadedBy(words, 0, env);
      // Its input is a file, for which Node would load a stream of files.
      expect(builtins).not.toContain('internal/fs/streams');
      expect(files.filter((name) => basename(name).startsWith('session-'))).toHaveLength(1);
    } finally {
      await keyring.stop();
    }
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

  it.for([
    ['sync', 'mirror'],
    ['sync status', 'mirror'],
    ['sync search hello', 'mirror'],
    ['calllog sync', 'mirror'],
    ['calllog stats --local', 'mirror'],
    ['sms send --to +14155550123 --yes hello', 'journal'],
  ] as const)('for a shared store by %s only with --store', ([command, local]) => {
    const words = ['bin/ucctl.cjs', ...command.split(' ')];
    const { files } = loadedBy(words);
    expect(files.filter((file) => file.includes(local))).not.toEqual([]);
    expect(files.filter((file) => ofSharedStore.test(basename(file)))).toEqual([]);
    // Nothing listens on this port, so the command ends after it has loaded what it needs.
    const shared = loadedBy([...words, '--store', 'postgres://reader@127.0.0.1:1/none'], Exit.local);
    expect(shared.files.filter((file) => ofSharedStore.test(basename(file)))).not.toEqual([]);
  });
});
