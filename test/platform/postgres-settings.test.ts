import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { postgresSettings } from '../../src/platform/postgres/settings.ts';
import { temporaryFolder } from '../support/temporary.ts';

const address = 'postgres://writer@127.0.0.1/archive';

it('a home folder that the user cannot enter has no password file', () => {
  // Both a folder without permission and a file in place of the folder fail with an error other than "not found".
  const home = join(temporaryFolder(), 'home');
  writeFileSync(home, '');
  expect(postgresSettings(address, { HOME: home }).credentials().password).toBeUndefined();
});

it('reads the password file of the home folder', () => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.pgpass'), '*:*:*:*:from-home-1\n', { mode: 0o600 });
  expect(postgresSettings(address, { HOME: home }).credentials().password).toBe('from-home-1');
});

it('reports a file in PGPASSFILE that it cannot reach', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const env = { HOME: temporaryFolder(), PGPASSFILE: join(file, 'pgpass') };
  expect(() => postgresSettings(address, env)).toThrow('ENOTDIR');
});
