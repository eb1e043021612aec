import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A Debian package of this machine that contains a system library. */
export interface SystemPackage {
  readonly name: string;
  readonly version: string;
  /** The licenses, from the file that every Debian package has. */
  readonly copyright: string;
}

/** The libraries that the dynamic linker loads for executables and addons, with the linker itself. */
export function librariesOf(...files: readonly string[]): readonly string[] {
  const paths = files.flatMap((file) => {
    const listed = execFileSync('ldd', [file], { encoding: 'utf8' });
    return [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
  });
  return [...new Set(paths)];
}

/**
 * The Debian packages that contain these libraries.
 * @throws {Error} if a library belongs to no package, because its license would be missing.
 */
export function packagesOf(libraries: readonly string[]): readonly SystemPackage[] {
  const names = new Set(libraries.map(packageNameOf));
  return [...names].toSorted().map((name) => ({
    name,
    version: execFileSync('dpkg-query', ['--show', '--showformat=${Version}', name], { encoding: 'utf8' }),
    copyright: readFileSync(`/usr/share/doc/${name}/copyright`, 'utf8'),
  }));
}

function packageNameOf(library: string): string {
  // /lib is a link to /usr/lib, and Debian releases differ in the path that their packages name.
  for (const path of [library, `/usr${library}`, library.replace(/^\/usr/, '')]) {
    const { status, stdout } = spawnSync('dpkg-query', ['--search', path], { encoding: 'utf8' });
    const name = status === 0 ? /^[^:,\s]+/.exec(stdout)?.[0] : undefined;
    if (name !== undefined) return name;
  }
  throw new Error(`no Debian package contains ${library}`);
}
