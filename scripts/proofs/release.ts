import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from './result.ts';

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

/** Two builds of a release are equal, and its image runs without an engine. Needs root on Linux. */
export function run(): readonly Result[] {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-release-proof-'));
  try {
    const builds = ['first', 'second'].map((name) => {
      const dir = join(folder, name);
      execFileSync(process.execPath, ['scripts/run.mjs', 'release', '--dir', dir], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      return dir;
    });
    const [first = '', second = ''] = builds;
    return [identical(first, second), imageRuns(first, join(folder, 'image'))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function identical(first: string, second: string): Result {
  const files = readdirSync(first).toSorted();
  const different = files.filter(
    (file) => !readFileSync(join(first, file)).equals(readFileSync(join(second, file))),
  );
  return {
    promise: 'two builds of the same commit are identical byte for byte',
    figure: `${files.length} files, different: ${different.join(', ') || 'none'}`,
    holds: different.length === 0 && files.length === 6,
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
