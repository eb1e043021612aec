import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { librariesOf, packagesOf } from './system-libraries.ts';

export interface ImageOptions {
  /** The single executable for linux-x64. */
  readonly executable: string;
  /** The keychain addon that the executable extracts when it runs. */
  readonly addon: string;
  /** The licenses of everything that the executable contains. */
  readonly licenses: string;
  readonly version: string;
  /** Seconds since 1970, as in DebianOptions. */
  readonly time: number;
  /** File to write. */
  readonly file: string;
  /** Level of the compression with gzip, from 0 (no compression) to 9. */
  readonly level: number;
}

interface Blob {
  readonly mediaType: string;
  readonly content: Buffer;
  readonly digest: string;
}

/** User id of the program in a container: not root. */
const user = 65_532;

/**
 * Makes a container image of the executable and the system libraries that it loads from this machine, as a tar archive in the
 * layout of the Open Container Initiative (image specification 1.1), without a container engine. Engines load it with
 * `podman load` or `docker load`. Docker up to version 28 reads the archive only with the additional file manifest.json.
 */
export function makeImage(options: ImageOptions): void {
  const { version, time, file, level } = options;
  const work = mkdtempSync(join(tmpdir(), 'ucctl-image-'));
  try {
    const root = join(work, 'root');
    fillRoot(root, options);
    const unpacked = join(work, 'layer.tar');
    makeTar(root, time, unpacked);
    const tarball = readFileSync(unpacked);
    const layer = blobOf('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(tarball, { level }));
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
    for (const blob of [layer, config, manifest]) writeFileSync(join(layout, pathOf(blob)), blob.content);
    // With a registry in its name, the image has the same name in all engines.
    const name = `localhost/ucctl:${version}`;
    const annotations = {
      'org.opencontainers.image.ref.name': version,
      'io.containerd.image.name': name,
    };
    const index = { schemaVersion: 2, manifests: [{ ...descriptor(manifest), annotations }] };
    writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    const saved = [{ Config: pathOf(config), RepoTags: [name], Layers: [pathOf(layer)] }];
    writeFileSync(join(layout, 'manifest.json'), JSON.stringify(saved));
    mkdirSync(dirname(file), { recursive: true });
    makeTar(layout, time, file);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The file system: the executable, its libraries, the licenses, a home folder and a folder for temporary files. */
function fillRoot(root: string, { executable, addon, licenses }: ImageOptions): void {
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  copyFileSync(executable, join(root, 'usr/bin/ucctl'));
  chmodSync(join(root, 'usr/bin/ucctl'), 0o755);
  const libraries = librariesOf(executable, addon);
  for (const library of libraries) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  for (const { name, copyright } of [{ name: 'ucctl', copyright: licenses }, ...packagesOf(libraries)]) {
    mkdirSync(join(root, 'usr/share/doc', name), { recursive: true });
    writeFileSync(join(root, 'usr/share/doc', name, 'copyright'), copyright);
    // The files of Debian refer to the texts of frequent licenses.
    for (const [common = ''] of copyright.matchAll(/\/usr\/share\/common-licenses\/[\w-]+(\.\d)?/g)) {
      mkdirSync(join(root, dirname(common)), { recursive: true });
      copyFileSync(common, join(root, common));
    }
  }
  mkdirSync(join(root, 'home/ucctl'), { recursive: true });
  chmodSync(join(root, 'home/ucctl'), 0o777);
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), `ucctl:x:${user}:${user}::/home/ucctl:/usr/bin/ucctl\n`);
}

/** Writes a tar archive that is the same for the same files. */
function makeTar(folder: string, time: number, file: string): void {
  const args = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--mtime=@${time}`,
    '--format=ustar',
  ];
  execFileSync('tar', [...args, '-cf', resolve(file), '-C', folder, '.']);
}

function json(mediaType: string, value: unknown): Blob {
  return blobOf(mediaType, Buffer.from(JSON.stringify(value)));
}

function blobOf(mediaType: string, content: Buffer): Blob {
  return { mediaType, content, digest: digestOf(content) };
}

function descriptor({ mediaType, content, digest }: Blob): object {
  return { mediaType, digest, size: content.length };
}

/** The path of a blob in the archive. */
function pathOf({ digest }: Blob): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
