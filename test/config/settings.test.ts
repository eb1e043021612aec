import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveSettings, updateConfigFile } from '../../src/config/index.ts';
import { temporaryPaths } from '../support/temporary.ts';

const prod = { baseUrl: 'https://prod.example.test', clientId: 'key', store: 'file', timeoutSeconds: 10 };

describe('resolveSettings', () => {
  test('returns the defaults without settings', async () => {
    const settings = await resolveSettings({ flags: {}, env: {}, paths: temporaryPaths() });
    expect(settings.profile).toEqual({ value: 'default', origin: 'default', source: 'default' });
    expect(settings.baseUrl.value).toBeUndefined();
    expect(settings.store.value).toBe('keychain');
    expect(settings.redirectUris.value).toEqual(['http://127.0.0.1:8734/callback']);
  });

  test('prefers a flag to a variable, the profile and the default, and returns the origin of each value', async () => {
    const paths = temporaryPaths();
    const { file } = await updateConfigFile(paths, () => ({ current: 'prod', profiles: { prod } }));
    const env = { UCCTL_TIMEOUT: '20s', UCCTL_BASE_URL: 'https://env.example.test', UCCTL_STORE: '' };
    const flags = { baseUrl: 'https://flag.example.test/' };
    const settings = await resolveSettings({ flags, env, paths });
    expect(settings.profile).toEqual({ value: 'prod', origin: 'profile', source: file });
    expect(settings.baseUrl).toEqual({
      value: 'https://flag.example.test',
      origin: 'flag',
      source: '--base-url',
    });
    expect(settings.timeoutSeconds).toEqual({ value: 20, origin: 'environment', source: 'UCCTL_TIMEOUT' });
    expect(settings.clientId).toEqual({ value: 'key', origin: 'profile', source: file });
    expect(settings.store).toEqual({ value: 'file', origin: 'profile', source: file });
    expect(settings.language.origin).toBe('default');
  });

  test('reads the profile that a flag or UCCTL_PROFILE names', async () => {
    const paths = temporaryPaths();
    await updateConfigFile(paths, () => ({
      current: 'prod',
      profiles: { prod, lab: { timeoutSeconds: 5 } },
    }));
    const byVariable = await resolveSettings({ flags: {}, env: { UCCTL_PROFILE: 'lab' }, paths });
    expect(byVariable.timeoutSeconds.value).toBe(5);
    const byFlag = await resolveSettings({
      flags: { profile: 'prod' },
      env: { UCCTL_PROFILE: 'lab' },
      paths,
    });
    expect(byFlag.timeoutSeconds.value).toBe(10);
  });

  // For example after UCCTL_TOKEN="$(get-token)" if get-token fails. The stored user must not act instead.
  test.each(['UCCTL_TOKEN', 'UCCTL_PROFILE'])('rejects an empty %s', async (name) => {
    for (const value of ['', ' \n'])
      await expect(
        resolveSettings({ flags: {}, env: { [name]: value }, paths: temporaryPaths() }),
      ).rejects.toMatchObject({
        code: 'usage',
        exit: 2,
        message: `${name} is set but empty`,
        hint: expect.stringContaining(`unset ${name}`) as string,
      });
  });

  test('accepts an empty UCCTL_PROFILE if a flag names the profile', async () => {
    const sources = { flags: { profile: 'lab' }, env: { UCCTL_PROFILE: '' }, paths: temporaryPaths() };
    expect((await resolveSettings(sources)).profile.value).toBe('lab');
  });

  test('does not mistake members of Object for profiles or settings', async () => {
    const paths = temporaryPaths();
    const settings = await resolveSettings({ flags: { profile: 'constructor' }, env: {}, paths });
    expect(settings.baseUrl.value).toBeUndefined();
  });

  test.each([
    ['http://example.test', 'which ucctl allows only for this machine'],
    ['http://127.0.0.1.evil.test', 'which ucctl allows only for this machine'],
    ['http://0x7f.1', 'which ucctl allows only for this machine'],
    ['http://[::ffff:127.0.0.1]', 'which ucctl allows only for this machine'],
    ['ftp://127.0.0.1', 'is not a valid https'],
    ['https://user:word@example.test', 'user name or password'],
  ])('rejects the base URL %s with exit 2', async (baseUrl, message) => {
    await expect(
      resolveSettings({ flags: { baseUrl }, env: {}, paths: temporaryPaths() }),
    ).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining(message),
    });
  });

  test('rejects an invalid variable with its name and exit 2', async () => {
    await expect(
      resolveSettings({ flags: {}, env: { UCCTL_STORE: 'cloud' }, paths: temporaryPaths() }),
    ).rejects.toMatchObject({
      exit: 2,
      message:
        'UCCTL_STORE: "cloud" is not a valid store; use keychain, file, memory or postgres://USER@HOST/DATABASE',
    });
  });

  test('names file, line and column of a config file that is not JSON, with a hint', async () => {
    const paths = temporaryPaths();
    mkdirSync(paths.config);
    writeFileSync(join(paths.config, 'config.json'), '{\n  "version": 1,\n  "profiles": {,}\n}\n');
    await expect(resolveSettings({ flags: {}, env: {}, paths })).rejects.toMatchObject({
      exit: 12,
      code: 'config_broken',
      message: `the config file is not valid: ${join(paths.config, 'config.json')}:3:16: the content is not valid JSON`,
      hint: expect.stringContaining('mv '),
    });
  });

  test('names the profile and the member of an invalid value in the file', async () => {
    const paths = temporaryPaths();
    await updateConfigFile(paths, () => ({ profiles: { default: { timeoutSeconds: 'soon' } } }));
    await expect(resolveSettings({ flags: {}, env: {}, paths })).rejects.toMatchObject({
      exit: 12,
      message: expect.stringContaining('"timeoutSeconds" of profile "default": must be a duration'),
    });
  });

  test('rejects a file of a later version', async () => {
    const paths = temporaryPaths();
    mkdirSync(paths.config);
    writeFileSync(join(paths.config, 'config.json'), '{"version":2}');
    await expect(resolveSettings({ flags: {}, env: {}, paths })).rejects.toMatchObject({ exit: 12 });
  });
});
