import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface DebianOptions {
  /** The single executable for linux-x64. */
  readonly executable: string;
  /** The licenses of everything that the executable contains. */
  readonly licenses: string;
  readonly version: string;
  /** Name and e-mail address of the maintainer, in Debian's format. */
  readonly maintainer: string;
  /** Seconds since 1970: the time of all files, so that a second build makes the same package. */
  readonly time: number;
  /** File to write. */
  readonly file: string;
  /** Folder with units of systemd (`*.service`, `*.sysusers`, `*.env.example`); without it, the package has none. */
  readonly units?: string;
  /** Level of the compression with zstd, from 1 (the fastest) to 22. */
  readonly level?: number;
}

/** Where the files of the folder of units go, by the end of their names: in the folder and in the package. */
const unitFolders: readonly (readonly [end: string, folder: string, endThere: string])[] = [
  ['.service', 'usr/lib/systemd/system', '.service'],
  ['.timer', 'usr/lib/systemd/system', '.timer'],
  ['.sysusers', 'usr/lib/sysusers.d', '.conf'],
  ['.env.example', 'usr/share/doc/ucctl/examples', '.env'],
];

/** The scripts that dpkg runs, and their files. */
const maintainerScripts = { prerm: 'prerm', postinst: 'reload-units', postrm: 'reload-units' };

/** Libraries that the executable loads, by the Debian packages that contain them. Node supports glibc 2.28 and later. */
const depends = 'libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9)';

const description = `command line for business telephony and messaging
 Manages call queues and presence, places calls, sends texts and faxes,
 keeps copies of mailboxes and call logs, and shows live events. A local
 sandbox of the whole service is included.`;

/**
 * Makes a Debian package from the executable, with the manual pages, completions and systemd units in the folders in
 * which Debian's programs search. The installation enables and starts no unit, and the removal stops them.
 */
export function makeDebianPackage({
  executable,
  licenses,
  version,
  maintainer,
  time,
  file,
  units = 'deploy/systemd',
  level = 9,
}: DebianOptions): void {
  const root = mkdtempSync(join(tmpdir(), 'ucctl-debian-'));
  try {
    chmodSync(root, 0o755);
    const put = (path: string, content: string | Uint8Array): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content, { mode: 0o644 });
    };
    const compressed = (source: string): Uint8Array => gzipSync(readFileSync(source), { level: 9 });
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    copyFileSync(executable, join(root, 'usr/bin/ucctl'));
    chmodSync(join(root, 'usr/bin/ucctl'), 0o755);
    for (const page of readdirSync('dist/man'))
      put(`usr/share/man/man1/${page}.gz`, compressed(join('dist/man', page)));
    put('usr/share/bash-completion/completions/ucctl', readFileSync('completions/ucctl.bash'));
    put('usr/share/zsh/vendor-completions/_ucctl', readFileSync('completions/_ucctl'));
    put('usr/share/fish/vendor_completions.d/ucctl.fish', readFileSync('completions/ucctl.fish'));
    for (const [name, path] of unitsIn(units)) put(path, readFileSync(join(units, name)));
    put('usr/share/doc/ucctl/changelog.gz', compressed('CHANGELOG.md'));
    put('usr/share/doc/ucctl/copyright', licenses);
    put('DEBIAN/control', control(version, maintainer, installedKibibytes(root)));
    for (const [name, script] of Object.entries(maintainerScripts)) {
      put(`DEBIAN/${name}`, readFileSync(join('scripts/release/debian', script)));
      chmodSync(join(root, 'DEBIAN', name), 0o755);
    }
    mkdirSync(dirname(file), { recursive: true });
    // zstd decompresses ten times as fast as xz, and dpkg has read it since Debian 12.
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', `-z${level}`, '--build', root, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The files of the folder of units, with their paths in the package, sorted; none if the folder is missing. */
function unitsIn(folder: string): readonly (readonly [name: string, path: string])[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const found = unitFolders.find(([end]) => name.endsWith(end));
      if (!found) return [];
      const [end, there, endThere] = found;
      return [[name, `${there}/${name.slice(0, -end.length)}${endThere}`] as const];
    });
}

/**
 * The size of the installed files, as dpkg-gencontrol computes it. The space that they take on the disk of the build (du)
 * can differ between two builds.
 */
function installedKibibytes(root: string): number {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const sizes = entries.map((entry) =>
    entry.isFile() ? Math.ceil(statSync(join(entry.parentPath, entry.name)).size / 1024) : 1,
  );
  return sizes.reduce((sum, size) => sum + size, 1);
}

function control(version: string, maintainer: string, size: number): string {
  return `Package: ucctl
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: ${depends}
Suggests: gnome-keyring, man-db, xdg-utils
Section: comm
Priority: optional
Description: ${description}
`;
}
