import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface ImageOptions {
  /** The single executable for linux-x64. */
  readonly executable: string;
  readonly version: string;
  /** Seconds since 1970, as in DebianOptions. */
  readonly time: number;
  /** File to write. */
  readonly file: string;
}

interface Blob {
  readonly mediaType: string;
  readonly content: Buffer;
}

/** User id of the program in a container: not root. */
const user = 65_532;

/**
 * Makes a container image of the executable and the system libraries that it loads from this machine, as a tar archive in the
 * layout of the Open Container Initiative (image specification 1.1), without a container engine. Engines load it with
 * `podman load` or `docker load`.
 */
export function makeImage({ executable, version, time, file }: ImageOptions): void {
  const work = mkdtempSync(join(tmpdir(), 'ucctl-image-'));
  try {
    const root = join(work, 'root');
    fillRoot(root, executable);
    const tarball = tarOf(root, time);
    const layer = { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', content: gzipSync(tarball) };
    const created = new Date(time * 1000).toISOString();
    const config = json('application/vnd.oci.image.config.v1+json', {
      created,
      architecture: 'amd64',
      os: 'linux',
      config: {
        User: `${user}:${user}`,
        Env: ['HOME=/home/ucctl', 'PATH=/usr/bin'],
        Entrypoint: ['/usr/bin/ucctl'],
        WorkingDir: '/home/ucctl',
        Labels: { 'org.opencontainers.image.version': version },
      },
      rootfs: { type: 'layers', diff_ids: [digestOf(tarball)] },
      history: [{ created, created_by: 'npm run release' }],
    });
    const manifest = json('application/vnd.oci.image.manifest.v1+json', {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: descriptor(config),
      layers: [descriptor(layer)],
    });
    const layout = join(work, 'layout');
    const blobs = join(layout, 'blobs', 'sha256');
    mkdirSync(blobs, { recursive: true });
    for (const { content } of [layer, config, manifest])
      writeFileSync(join(blobs, digestOf(content).slice('sha256:'.length)), content);
    const name = {
      'org.opencontainers.image.ref.name': version,
      'io.containerd.image.name': `ucctl:${version}`,
    };
    const index = { schemaVersion: 2, manifests: [{ ...descriptor(manifest), annotations: name }] };
    writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, tarOf(layout, time));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The file system: the executable, its libraries, a home folder and a folder for temporary files. */
function fillRoot(root: string, executable: string): void {
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  copyFileSync(executable, join(root, 'usr/bin/ucctl'));
  chmodSync(join(root, 'usr/bin/ucctl'), 0o755);
  for (const library of librariesOf(executable)) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  mkdirSync(join(root, 'home/ucctl'), { recursive: true });
  chmodSync(join(root, 'home/ucctl'), 0o777);
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), `ucctl:x:${user}:${user}::/home/ucctl:/usr/bin/ucctl\n`);
}

/** The libraries that the dynamic linker loads for an executable, with the linker itself. */
export function librariesOf(executable: string): readonly string[] {
  const listed = execFileSync('ldd', [executable], { encoding: 'utf8' });
  return [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

/** A tar archive that is the same for the same files. */
function tarOf(folder: string, time: number): Buffer {
  const args = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--mtime=@${time}`,
    '--format=ustar',
  ];
  return execFileSync('tar', [...args, '-C', folder, '-cf', '-', '.'], { maxBuffer: 1024 * 1024 * 1024 });
}

function json(mediaType: string, value: unknown): Blob {
  return { mediaType, content: Buffer.from(JSON.stringify(value)) };
}

function descriptor({ mediaType, content }: Blob): object {
  return { mediaType, digest: digestOf(content), size: content.length };
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
