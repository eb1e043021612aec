import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The variable with the socket at which tests ask for the server of the run. */
export const starterVariable = 'UCCTL_TEST_POSTGRES_STARTER';

/** Where Debian and others install the server; it is not on the path. */
const roots = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/postgresql'];

/** The folder with `initdb` and `postgres` of the newest version; undefined if there is none. */
export function postgresPrograms(): string | undefined {
  const versions = roots
    .filter((root) => existsSync(root))
    .flatMap((root) => ['', ...readdirSync(root)].map((version) => join(root, version, 'bin')));
  const byVersion = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
  return versions.toSorted(byVersion).findLast((folder) => existsSync(join(folder, 'initdb')));
}
