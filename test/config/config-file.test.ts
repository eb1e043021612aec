import {
  lstatSync,
  symlinkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfigFile, updateConfigFile } from '../../src/config/index.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';

describe('the config file', () => {
  test('is 0600 in a folder of 0700, whatever the umask', async () => {
    const paths = temporaryPaths();
    const { file } = await updateConfigFile(paths, () => ({ profiles: { a: {} } }));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(paths.config).mode & 0o777).toBe(0o700);
    expect(statSync(join(paths.config, 'config.lock.db')).mode & 0o777).toBe(0o600);
  });

  test.each(['there', 'not there yet'])('that is a link stays a link, its target %s', async (state) => {
    const paths = temporaryPaths();
    const elsewhere = join(temporaryFolder(), 'settings.json');
    mkdirSync(paths.config);
    if (state === 'there') writeFileSync(elsewhere, '{"version":1,"profiles":{"a":{}}}');
    const file = join(paths.config, 'config.json');
    symlinkSync(elsewhere, file);
    await updateConfigFile(paths, () => ({ profiles: { b: {} } }));
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(Object.keys((await readConfigFile(paths)).profiles)).toContain('b');
    expect(readFileSync(elsewhere, 'utf8')).toContain('"b"');
  });

  test('keeps members that this version does not define', async () => {
    const paths = temporaryPaths();
    mkdirSync(paths.config);
    const file = join(paths.config, 'config.json');
    writeFileSync(file, '{"version":1,"future":[1],"profiles":{"a":{"later":true},"b":{}}}');
    await updateConfigFile(paths, ({ profiles }) => ({
      current: 'a',
      profiles: { a: { ...profiles['a'], store: 'file' }, b: undefined },
    }));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      current: 'a',
      future: [1],
      profiles: { a: { later: true, store: 'file' } },
    });
  });

  test('loses nothing with thirty concurrent writers, and leaves no temporary file', async () => {
    const paths = temporaryPaths();
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => updateConfigFile(paths, () => ({ profiles: { [name]: {} } }))));
    expect(Object.keys((await readConfigFile(paths)).profiles).sort()).toEqual(names.sort());
    expect(readdirSync(paths.config).sort()).toEqual(['config.json', 'config.lock.db']);
  });

  test('is not changed if it is invalid', async () => {
    const paths = temporaryPaths();
    mkdirSync(paths.config);
    const file = join(paths.config, 'config.json');
    writeFileSync(file, 'not json');
    await expect(updateConfigFile(paths, () => ({ current: 'a' }))).rejects.toMatchObject({ exit: 12 });
    expect(readFileSync(file, 'utf8')).toBe('not json');
  });
});
