import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

let folder = '';
let packed: Packed;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ucctl-pack-'));
  const args = ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', folder];
  [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [Packed];
});
afterAll(() => execFileSync('rm', ['-rf', folder]));

describe('what npm packs', () => {
  const paths = (): readonly string[] => packed.files.map(({ path }) => path);

  it('is the program, the library, completions, manual pages and what people read', () => {
    const strange = paths().filter(
      (path) =>
        !/^(bin|dist\/(cli|lib|completion)|completions|docs\/man)\//.test(path) &&
        !['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'].includes(path),
    );
    expect(strange).toEqual([]);
    expect(paths()).toEqual(
      expect.arrayContaining([
        'bin/ucctl.cjs',
        'dist/cli/main.cjs',
        'dist/cli/help.txt',
        'dist/cli/version.txt',
        'dist/completion/answer.cjs',
        'dist/completion/table.json',
        'dist/lib/client.js',
        'dist/lib/sandbox.js',
        'completions/ucctl.bash',
        'completions/_ucctl',
        'completions/ucctl.fish',
        'completions/ucctl.ps1',
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
      ]),
    );
  });

  it('holds no test, no source map, and no path of the machine that built it', () => {
    expect(paths().filter((path) => /\.map$|\.test\.|\.lock$|\.db$/.test(path))).toEqual([]);
    const texts = paths().filter((path) => /\.(c?js|txt|json|d\.ts)$/.test(path));
    const telling = texts.filter((path) => {
      const text = readFileSync(path, 'utf8');
      return text.includes(process.cwd()) || /sourceMappingURL=(?!data:)\S+\.map/.test(text);
    });
    expect(telling).toEqual([]);
  });
});

/** From npm's cache alone; an install that cannot be had so says why it is skipped. */
describe('the tarball, installed globally into an empty prefix', () => {
  let prefix = '';
  let problem: string | undefined;
  beforeAll(() => {
    prefix = join(folder, 'prefix');
    const { status, stderr } = spawnSync(
      'npm',
      [
        'install',
        '--global',
        '--offline',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--prefix',
        prefix,
        join(folder, packed.filename),
      ],
      { encoding: 'utf8' },
    );
    problem = status === 0 ? undefined : `not installed from npm's cache: ${stderr.slice(-200)}`;
  }, 120_000);

  const run = (...args: readonly string[]) =>
    spawnSync(join(prefix, 'bin/ucctl'), args, {
      encoding: 'utf8',
      env: { PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`, HOME: folder },
      cwd: folder,
    });

  it('runs: version, help, a Tab, a sandbox, a sign-in, a request, jq', ({ skip }) => {
    if (problem !== undefined) skip(problem);
    expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run('--help').stdout).toContain('ucctl init');
    expect(run('__complete', 'words', '=que').stdout).toBe('none\nqueue\tCall queues and their agents\n');
    const line =
      'ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME" -q > /dev/null && ucctl queue list --jq ".[0].name"';
    const { status, stdout } = run('sandbox', 'exec', '--', 'sh', '-c', line);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Support\n' });
  }, 60_000);

  it('takes at most 45 MB and 15 packages', ({ skip }) => {
    if (problem !== undefined) skip(problem);
    const files = readdirSync(prefix, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const bytes = files.reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(45_000_000);
    const listed = execFileSync('npm', ['ls', '--global', '--all', '--parseable', '--prefix', prefix], {
      encoding: 'utf8',
    });
    expect(listed.trim().split('\n').length - 1).toBeLessThanOrEqual(15);
  });
});
