import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlessRequired } from '../support/required.ts';
import { packedTarball, type Tarball } from '../support/tarball.ts';

let folder = '';
let packed: Tarball;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ucctl-pack-'));
  packed = packedTarball();
});
afterAll(() => execFileSync('rm', ['-rf', folder]));

/** The local targets of the links and pictures of a document, without examples in code. */
function linksOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8').replaceAll(/```.*?```|`[^`\n]*`/gs, '');
  return [...text.matchAll(/(?:\]\(|(?:src|srcset|href)=")([^)"#\s]+)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => join(dirname(path), link));
}

/** What docs/README.md says that the package lacks. */
const omitted = /^(docs\/(pictures|screens|adr|internals|spec)\b|bench\/)/;

describe('what npm packs', () => {
  const paths = (): readonly string[] => packed.files.map(({ path }) => path);

  it('runs no script at an install, and lists every manual page', () => {
    const manifest = JSON.parse(
      execFileSync('tar', ['-xzOf', packed.file, 'package/package.json'], {
        encoding: 'utf8',
      }),
    ) as { readonly scripts: Readonly<Record<string, string>>; readonly man: readonly string[] };
    // npm 11 warns of each of these, and asks the user to allow it.
    const atInstall = new Set([
      'preinstall',
      'install',
      'postinstall',
      'prepublish',
      'preprepare',
      'prepare',
      'postprepare',
    ]);
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.has(name))).toEqual([]);
    expect([...manifest.man].sort()).toEqual(
      paths()
        .filter((path) => path.startsWith('dist/man/'))
        .sort(),
    );
  });

  it('consists of the program, the library, completions, units, manual pages and documents', () => {
    const strange = paths().filter(
      (path) =>
        !/^(bin|dist\/(cli|lib|completion|man|schema|console)|completions|deploy|examples)\//.test(path) &&
        !/^docs\/((guides|reference)\/)?[\w-]+\.md$/.test(path) &&
        !/^(package\.json|LICENSE|(README|CHANGELOG|ARCHITECTURE|CONTRIBUTING)\.md)$/.test(path) &&
        path !== 'docs/pictures/phones.png',
    );
    expect(strange).toEqual([]);
    expect(paths()).toEqual(
      expect.arrayContaining([
        'bin/ucctl.cjs',
        'dist/cli/main.cjs',
        'dist/cli/first.txt',
        'dist/cli/help.txt',
        'dist/cli/help/queue.txt',
        'dist/cli/version.txt',
        'dist/completion/answer.cjs',
        'dist/completion/table.json',
        'dist/console/app.css',
        'dist/console/app.js',
        'dist/console/icon.svg',
        'dist/console/index.html',
        'dist/console/profile.html',
        'dist/console/profile.js',
        'dist/lib/client.js',
        'dist/lib/sandbox.js',
        'completions/ucctl.bash',
        'completions/_ucctl',
        'completions/ucctl.fish',
        'completions/ucctl.ps1',
        'deploy/compose.yaml',
        'examples/queue-agents.mjs',
        'deploy/systemd/ucctl-consumer@.service',
        'deploy/systemd/ucctl-receiver@.service',
        'deploy/systemd/ucctl-worker@.service',
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
      ]),
    );
  });

  it('contains every file that its README.md and its documents link to', () => {
    const missing = paths()
      .filter((path) => path === 'README.md' || path.startsWith('docs/'))
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => linksOf(path).map((link) => [path, link] as const))
      .filter(([path, link]) => !paths().includes(link) && (path === 'README.md' || !omitted.test(link)));
    expect(missing).toEqual([]);
  });

  // The Debian package and the executable contain these texts, but no documents.
  it('names no document in the texts of the program', () => {
    const texts = paths().filter((path) =>
      /^(dist\/(cli|man|schema)|completions|deploy)\/|^CHANGELOG/.test(path),
    );
    const naming = texts.filter((path) => /(?<![\w./])docs\/[\w/.\\-]+/.test(readFileSync(path, 'utf8')));
    expect(naming).toEqual([]);
  });

  it('contains no test, no source map, and no path of the machine that built it', () => {
    expect(paths().filter((path) => /\.map$|\.test\.|\.lock$|\.db$/.test(path))).toEqual([]);
    const texts = paths().filter((path) => /\.(c?js|txt|json|d\.ts)$/.test(path));
    const leaking = texts.filter((path) => {
      const text = readFileSync(path, 'utf8');
      return text.includes(process.cwd()) || /sourceMappingURL=(?!data:)\S+\.map/.test(text);
    });
    expect(leaking).toEqual([]);
  });
});

/** Releases of the `node` packages that the program must run on; `.ci/run` names them and brings them into npm's cache. */
const releases = /^nodes=\((.*)\)$/m.exec(readFileSync('.ci/run', 'utf8'))?.[1]?.split(' ') ?? [];

/** Runs npm with its cache alone. @returns why it failed. */
function npmProblem(...args: readonly string[]): string | undefined {
  const { status, stderr } = spawnSync('npm', [...args, '--offline', '--ignore-scripts'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `not in npm's cache: ${stderr.slice(-200)}`;
}

const nodePackage = `node-${process.platform}-${process.arch}`;

/**
 * Unpacks the program of a release of Node; an install of its package takes twice the processor time. Its folder
 * remains for later runs: unpacking a release takes as long as its test.
 * @returns the folder of its program, and why there is none.
 */
function nodeRelease(release: string): { readonly bin: string; readonly problem?: string | undefined } {
  const bin = resolve('.tmp/nodes', `${nodePackage}-${release}`);
  if (existsSync(bin)) return { bin };
  const own = `${bin}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  try {
    const problem = npmProblem('pack', `${nodePackage}@${release}`, '--pack-destination', own);
    if (problem !== undefined) return { bin, problem };
    const [tarball = ''] = readdirSync(own);
    execFileSync('tar', ['-xzf', join(own, tarball), '-C', own, 'package/bin/node']);
    renameSync(join(own, 'package/bin'), bin);
    return { bin };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

const fromCache = (problem: string | undefined) => unlessRequired('npm-cache', problem);

describe('the tarball, installed globally into an empty prefix', () => {
  let prefix = '';
  let problem: string | undefined;
  beforeAll(() => {
    prefix = join(folder, 'prefix');
    problem = npmProblem('install', '--global', '--no-audit', '--no-fund', '--prefix', prefix, packed.file);
    // npm omits an optional package without an error if its cache does not contain the package.
    const sqlite = join(prefix, 'lib/node_modules/ucctl/node_modules/@photostructure/sqlite');
    if (!existsSync(sqlite)) problem ??= "not in npm's cache: @photostructure/sqlite";
  });

  const run = (path: string, ...args: readonly string[]) =>
    spawnSync(join(prefix, 'bin/ucctl'), args, {
      encoding: 'utf8',
      env: { PATH: `${join(prefix, 'bin')}:${path}`, HOME: folder },
      cwd: folder,
    });
  const systemPath = process.env['PATH'] ?? '';
  const expectToRun = (path: string): void => {
    expect(run(path, '--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run(path, '--help').stdout).toContain('ucctl init');
    expect(run(path, '__complete', 'words', '=que').stdout).toBe(
      'none\nqueue\tCall queues and their agents\n',
    );
    const line = [
      'ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME" -q > /dev/null',
      'ucctl queue list --jq ".[0].name"',
      'ucctl queue list -o yaml --fields name | head -n 1',
      'ucctl sms send --to +16505550112 Hello --yes > /dev/null 2>&1',
      'ucctl sync > /dev/null',
      'ucctl sync search Hello --fields text',
      'node --version',
    ].join(' && ');
    const { status, stdout, stderr } = run(path, 'sandbox', 'exec', '--', 'sh', '-c', line);
    const version = execFileSync('node', ['--version'], { encoding: 'utf8', env: { PATH: path } });
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: `Support\n- name: Support\nHello\n${version}`,
      stderr: '',
    });
  };

  it('runs: version, help, completion, a sandbox, a sign-in, requests, jq, a database', ({ skip }) => {
    const missing = fromCache(problem);
    if (missing !== undefined) skip(missing);
    expect(() => expectToRun(systemPath)).not.toThrow();
  });

  it('has its manual pages where man searches for them', ({ skip }) => {
    const missing = fromCache(problem);
    if (missing !== undefined) skip(missing);
    const pages = join(prefix, 'share/man/man1');
    expect(readdirSync(pages).map((name) => `dist/man/${name}`)).toEqual(
      packed.files.map(({ path }) => path).filter((path) => path.startsWith('dist/man/')),
    );
    expect(run(systemPath, 'man', 'install', '--dir', join(prefix, 'share/man')).stdout).toContain(
      'unchanged',
    );
  });

  it.for(releases)('runs on Node %s', (release, { skip }) => {
    const node = nodeRelease(release);
    const missing = fromCache(problem ?? node.problem);
    if (missing !== undefined) skip(missing);
    const path = `${node.bin}:${systemPath}`;
    expect(execFileSync('node', ['--version'], { encoding: 'utf8', env: { PATH: path } })).toBe(
      `v${release}\n`,
    );
    expect(() => expectToRun(path)).not.toThrow();
  });

  it('is tested on the lowest Node version that the package allows', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(releases.map((release) => release.split('.')[0])).toEqual(['20', '22', '24', '26']);
    expect(engines.node).toBe(`^${releases[0]?.replace(/\.0$/, '')} || >=22.12`);
  });

  it('takes at most 50 MB and 15 packages', ({ skip }) => {
    const missing = fromCache(problem);
    if (missing !== undefined) skip(missing);
    const files = readdirSync(prefix, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const bytes = files.reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(50_000_000);
    const listed = execFileSync('npm', ['ls', '--global', '--all', '--parseable', '--prefix', prefix], {
      encoding: 'utf8',
    });
    expect(listed.trim().split('\n').length - 1).toBeLessThanOrEqual(15);
  });
});
