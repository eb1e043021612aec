import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { noBash, withBash } from '../support/bash.ts';
import { eventually } from '../support/eventually.ts';
import { buildExampleProgram, type ExampleProgram, spawnNode } from '../support/example-program.ts';
import { startUcctl } from '../support/process.ts';
import { unlessRequired } from '../support/required.ts';
import { temporaryFolder } from '../support/temporary.ts';

let program: ExampleProgram;
beforeAll(async () => {
  program = await buildExampleProgram();
});
afterAll(() => program.remove());

describe('a pipe', () => {
  it.skipIf(noBash !== undefined)(
    `that closes early ends a reading command with 0 and an empty stderr${withBash}`,
    () => {
      const line = `set -o pipefail; '${process.execPath}' '${program.main}' book list -o ndjson | head -1`;
      const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', line], {
        env: { PATH: process.env['PATH'], EXAMPLE_BOOKS: '50000' },
        encoding: 'utf8',
      });
      expect(stdout).toBe('{"id":0,"name":"Book number 0 with a name"}\n');
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    },
  );

  it.skipIf(noBash !== undefined)(`gets every byte of a megabyte, also from a slow reader${withBash}`, () => {
    const line = `'${process.execPath}' '${program.main}' book list -o ndjson | (head -c 100000; sleep 0.3; cat)`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], {
      env: { PATH: process.env['PATH'], EXAMPLE_BOOKS: '22000' },
      encoding: 'utf8',
      maxBuffer: 10_000_000,
    });
    expect(stdout.length).toBeGreaterThan(1_000_000);
    expect(stdout.trimEnd().split('\n')).toHaveLength(22_000);
    expect(stderr).toBe('');
  });

  it('does not change the exit code of a failure', async () => {
    const { exit, stdout, stderr } = await spawnNode([program.main, 'book', 'lsit']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('did you mean ucctl book list?');
  });
});

describe('signals', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('the first %s ends the wait with %i', async (name, exit) => {
    const result = await spawnNode(
      [program.main, 'book', 'list'],
      { EXAMPLE_SLEEP: '1' },
      (child, stderr) => {
        if (stderr() === 'waiting\n') child.kill(name);
      },
    );
    expect(result).toMatchObject({ exit, signal: null, stdout: '', stderr: 'waiting\n' });
  });

  it('the second signal ends a command that is still cleaning up', async () => {
    const result = await spawnNode(
      [program.main, 'book', 'list'],
      { EXAMPLE_STUBBORN: '1' },
      (child, stderr) => {
        child.kill(stderr().includes('finishing') ? 'SIGTERM' : 'SIGINT');
      },
    );
    expect(result.stderr).toBe('waiting\nfinishing\n');
    expect([result.signal, result.exit]).toContain('SIGTERM');
  });
});

const lookups = '/etc/nsswitch.conf';
const noAliases =
  process.platform === 'linux' &&
  existsSync(lookups) &&
  /^hosts:.*\bdns\b/m.test(readFileSync(lookups, 'utf8'))
    ? undefined
    : 'the system does not look up host names with glibc and DNS';

/** Whether a process has a handler for SIGINT, by its mask of caught signals. */
function catchesInterrupts(pid: number | undefined): boolean {
  const [, mask = '0'] = /^SigCgt:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${mask}`) & 2n) !== 0n;
}

describe.skipIf(unlessRequired('glibc', noAliases))('a lookup of a host name that hangs', () => {
  const start = (...flags: readonly string[]) => {
    // glibc reads the aliases before it asks a name server, and waits for the end of the file.
    const aliases = join(temporaryFolder(), 'aliases');
    spawnSync('mkfifo', [aliases]);
    const args = ['queue', 'list', '--base-url', 'https://service', '--retry', '0', ...flags];
    const started = startUcctl(args, {
      env: { HOME: temporaryFolder(), UCCTL_TOKEN: 'x', HOSTALIASES: aliases },
    });
    onTestFinished(() => void started.child.kill('SIGKILL'));
    const lookupBegins = eventually(() => {
      const file = openSync(aliases, constants.O_WRONLY | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(file));
    });
    return { ...started, lookupBegins };
  };

  it.each(['SIGINT', 'SIGTERM'] as const)('does not delay the end after %s', async (name) => {
    const { child, ended, lookupBegins } = start();
    await lookupBegins;
    child.kill(name);
    expect(await ended).toMatchObject({ exit: null, signal: name, stdout: '', stderr: '' });
  });

  it('does not prevent the end by Ctrl-C after the command has failed', async () => {
    const { child, ended } = start('--timeout', '1');
    let stderr = '';
    child.stderr.on('data', (piece: string) => (stderr += piece));
    await eventually(() => expect(stderr).toContain('timeout while connecting'));
    await eventually(() => expect(catchesInterrupts(child.pid)).toBe(false));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ exit: null, signal: 'SIGINT' });
  });
});

it('quiet hours block messages if Node does not know the time zone of the machine', async () => {
  const { ended } = startUcctl(['policy', 'test', '+15551230000'], {
    env: { HOME: temporaryFolder(), TZ: 'EST5EDT,M3.2.0,M11.1.0', UCCTL_QUIET_HOURS: '00:00-00:01' },
  });
  const stdout = expect.stringContaining('unknown time zone (TZ=EST5EDT,M3.2.0,M11.1.0)') as unknown;
  expect(await ended).toMatchObject({ exit: 9, stdout });
});

describe('start-up', () => {
  // What a process loaded, as it reports itself at its end.
  const listLoaded =
    "process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify(Object.keys(require.cache))))";
  const loadedBy = async (file: string, ...words: readonly string[]): Promise<readonly string[]> => {
    const argv = `[process.argv[0], ${JSON.stringify([file, ...words]).slice(1)}`;
    const run = `${listLoaded}; process.argv = ${argv}; require(${JSON.stringify(file)})`;
    const { stderr } = await spawnNode(['-e', run]);
    return JSON.parse(stderr) as readonly string[];
  };

  it.each([['--version'], ['-V'], ['--help'], ['-h'], ['help']])(
    '%s loads nothing but the shim',
    async (word) => {
      const shim = `${process.cwd()}/bin/ucctl.cjs`;
      expect(await loadedBy(shim, word)).toEqual([shim]);
    },
  );

  it.each([[['book', '--help']], [['book', 'put', '--help']]])('%j loads no library', async (words) => {
    const loaded = await loadedBy(program.main, ...words);
    expect(program.packagesIn(loaded)).toEqual([]);
  });

  it('a command with JSON output loads only the parser', async () => {
    expect(program.packagesIn(await loadedBy(program.main, 'book', 'list', '-o', 'json'))).toEqual([
      'commander',
    ]);
  });
});

it('without a build the shim explains what to do', async () => {
  const { copyFile, mkdir, mkdtemp, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const directory = await mkdtemp(`${tmpdir()}/ucctl-unbuilt-`);
  await mkdir(`${directory}/bin`);
  await copyFile('bin/ucctl.cjs', `${directory}/bin/ucctl.cjs`);
  const { exit, stderr } = await spawnNode([`${directory}/bin/ucctl.cjs`, '--version']);
  await rm(directory, { recursive: true });
  expect(exit).toBe(12);
  expect(stderr).toContain('npm run build');
});

it('prints the version of the package', async () => {
  const { version } = await import('../../package.json');
  expect((await spawnNode(['bin/ucctl.cjs', '--version'])).stdout).toBe(`${version}\n`);
});
