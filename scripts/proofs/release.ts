import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanClone, commitOf } from './clean-clone.ts';
import type { Result } from './result.ts';

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

/**
 * Two builds of one commit are equal, and the image of the release runs without an engine. Each build uses its own clone, in its own
 * folder, of the commit that is checked out when the proof starts. Uncommitted changes are not built. Needs root on Linux.
 */
export function run(): readonly Result[] {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-release-proof-'));
  const commit = commitOf('.');
  try {
    const [first, second] = [release(commit, join(folder, 'first')), release(commit, join(folder, 'second'))];
    return [identical(commit, first, second), imageRuns(first, join(folder, 'image'))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the release in a new clone with newly installed packages. Returns the folder of the files. */
function release(commit: string, clone: string): string {
  cleanClone('.', commit, clone);
  const dir = `${clone}-release`;
  const start = (program: string, ...args: readonly string[]): void => {
    execFileSync(program, args, { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  start('npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund');
  start(process.execPath, 'scripts/run.mjs', 'release', '--dir', dir);
  return dir;
}

function identical(commit: string, first: string, second: string): Result {
  const files = readdirSync(first).toSorted();
  const different = files.filter(
    (file) => !readFileSync(join(first, file)).equals(readFileSync(join(second, file))),
  );
  return {
    promise: 'two builds of the same commit are identical byte for byte',
    figure: `commit ${commit.slice(0, 12)}, ${files.length} files, different: ${different.join(', ') || 'none'}`,
    holds: different.length === 0 && files.length === 7,
  };
}

/** Unpacks the image as an engine would, checks every digest and runs its entry point in it. */
function imageRuns(dir: string, root: string): Result {
  const layout = `${root}-layout`;
  mkdirSync(layout);
  mkdirSync(root);
  const tarball = readdirSync(dir).find((file) => file.endsWith('-image.tar')) ?? '';
  execFileSync('tar', ['-xf', join(dir, tarball), '-C', layout]);
  const blob = ({ digest, size }: Descriptor): Buffer => {
    const content = readFileSync(join(layout, 'blobs', 'sha256', digest.replace('sha256:', '')));
    const found = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    if (found !== digest || content.length !== size) throw new Error(`the image has a wrong blob ${digest}`);
    return content;
  };
  const parse = (content: Buffer): unknown => JSON.parse(content.toString('utf8'));
  const { manifests } = parse(readFileSync(join(layout, 'index.json'))) as {
    readonly manifests: readonly [Descriptor];
  };
  const manifest = parse(blob(manifests[0])) as {
    readonly config: Descriptor;
    readonly layers: readonly [Descriptor];
  };
  const { config } = parse(blob(manifest.config)) as {
    readonly config: { readonly Entrypoint: readonly string[] };
  };
  execFileSync('tar', ['-xzf', '-', '-C', root], { input: blob(manifest.layers[0]) });
  const { status, stdout } = spawnSync('chroot', [root, ...config.Entrypoint, '--version'], {
    encoding: 'utf8',
  });
  return {
    promise: 'the image contains everything that its entry point needs',
    figure: `chroot into the unpacked layer: exit ${status}, version ${stdout.trim()}`,
    holds: status === 0,
  };
}
