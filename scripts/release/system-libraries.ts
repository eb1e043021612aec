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
  const owners = ownersOf(libraries.flatMap(packagedPaths));
  const names = libraries.map((library) => {
    const name = packagedPaths(library).flatMap((path) => owners.get(path) ?? [])[0];
    if (name === undefined) throw new Error(`no Debian package contains ${library}`);
    return name;
  });
  const unique = [...new Set(names)].toSorted();
  if (unique.length === 0) return [];
  const shown = execFileSync('dpkg-query', ['--show', '--showformat=${Package} ${Version}\n', ...unique], {
    encoding: 'utf8',
  });
  const versions = new Map(shown.split('\n').map((line) => line.split(' ') as [string, string]));
  return unique.map((name) => ({
    name,
    version: versions.get(name) ?? '',
    copyright: readFileSync(`/usr/share/doc/${name}/copyright`, 'utf8'),
  }));
}

/** The paths that packages can name: /lib is a link to /usr/lib, and Debian releases differ in the path that they use. */
function packagedPaths(library: string): readonly string[] {
  return [library, `/usr${library}`, library.replace(/^\/usr/, '')];
}

/** The packages that contain files, by path. One search for all paths, because each search reads the lists of all packages. */
function ownersOf(paths: readonly string[]): ReadonlyMap<string, string> {
  // The exit code is 1 if a path is not found.
  const { stdout } = spawnSync('dpkg-query', ['--search', ...paths], { encoding: 'utf8' });
  const lines = stdout.matchAll(/^([^:,\s]+)[^/\n]*: (\/.+)$/gm);
  return new Map([...lines].map(([, name = '', path = '']) => [path, name]));
}
