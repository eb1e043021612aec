import {
  existsSync,
  symlinkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfigFile, storeInProfile, updateConfigFile } from '../../src/config/index.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';

describe('the config file', () => {
  test('is 0600 in a folder of 0700, whatever the umask', async () => {
    const paths = temporaryPaths();
    const { file } = await updateConfigFile(paths, () => ({ profiles: { a: {} } }));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(paths.config).mode & 0o777).toBe(0o700);
    expect(statSync(join(paths.config, 'config.lock.db')).mode & 0o777).toBe(0o600);
  });

  test('gets a current profile with its first profile, but not with a value of an existing profile', async () => {
    const paths = temporaryPaths();
    await updateConfigFile(paths, () => ({ profiles: { lab: { retry: 1 } } }));
    await storeInProfile(paths, 'lab', { dialect: 'current' });
    const { current, profiles } = await readConfigFile(paths);
    expect([current, profiles]).toEqual([undefined, { lab: { retry: 1, dialect: 'current' } }]);
    await storeInProfile(paths, 'prod', { retry: 2 });
    await storeInProfile(paths, 'test', { retry: 3 });
    expect((await readConfigFile(paths)).current).toBe('prod');
  });

  test.each(['there', 'not there yet'])('that is a link is rejected, its target %s', async (state) => {
    const paths = temporaryPaths();
    const elsewhere = join(temporaryFolder(), 'settings.json');
    mkdirSync(paths.config);
    const text = '{"version":1,"profiles":{"a":{}}}';
    if (state === 'there') writeFileSync(elsewhere, text);
    const file = join(paths.config, 'config.json');
    symlinkSync(elsewhere, file);
    const hint =
      state === 'there'
        ? `replace the link with the file (mv '${elsewhere}' '${file}'), or set UCCTL_CONFIG_DIR to the folder of the file (${dirname(elsewhere)})`
        : `delete the link (rm '${file}'), which points to a missing file`;
    const unsafe = { name: 'UnsafePathError', path: file, hint };
    await expect(readConfigFile(paths)).rejects.toMatchObject(unsafe);
    await expect(updateConfigFile(paths, () => ({ profiles: { b: {} } }))).rejects.toMatchObject(unsafe);
    expect(existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8') : text).toBe(text);
  });

  test.each(['config', 'state'] as const)('is not read if the %s folder is a link', async (name) => {
    const paths = temporaryPaths();
    const target = temporaryFolder();
    symlinkSync(target, paths[name]);
    await expect(readConfigFile(paths)).rejects.toMatchObject({
      name: 'UnsafePathError',
      path: paths[name],
      hint: expect.stringContaining(
        `set UCCTL_${name.toUpperCase()}_DIR to the folder itself (${target})`,
      ) as string,
    });
  });

  test('may begin with a byte order mark, which editors on Windows write', async () => {
    const paths = temporaryPaths();
    mkdirSync(paths.config);
    writeFileSync(join(paths.config, 'config.json'), '\uFEFF{"version":1,"profiles":{"a":{}}}');
    expect((await readConfigFile(paths)).profiles).toEqual({ a: {} });
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

  test('of a newer version is not called broken', async () => {
    const paths = temporaryPaths();
    mkdirSync(paths.config);
    writeFileSync(join(paths.config, 'config.json'), '{"version":2,"profiles":{}}');
    const error = await readConfigFile(paths).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'config_broken',
      exit: 12,
      hint: 'use the newer version of ucctl, or choose another folder with UCCTL_CONFIG_DIR',
    });
    expect((error as Error).message).toContain('this version of ucctl reads only version 1');
  });
});
