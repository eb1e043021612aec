import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createKeychainStore, type KeychainItems } from '../../src/auth/keychain-store.ts';
import { SessionRepository } from '../../src/auth/session-repository.ts';
import { signOut } from '../../src/auth/sign-out.ts';
import { knownClientSecret } from '../../src/auth/signing.ts';
import type { TokenStore } from '../../src/auth/token-store.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import { temporaryPaths } from '../support/temporary.ts';

/** A keychain that rejects values larger than the limit of a platform. */
function capped(limit: number): KeychainItems & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    read: (item) => Promise.resolve(items.get(item)),
    write(item, text) {
      if (Buffer.byteLength(text) > limit) return Promise.reject(new Error('too large'));
      items.set(item, text);
      return Promise.resolve();
    },
    delete: (item) => Promise.resolve(items.delete(item)),
    preflight: () => Promise.resolve(),
  };
}

interface Desk {
  readonly store: TokenStore;
  readonly keychain: ReturnType<typeof capped>;
  readonly folder: string;
  readonly again: () => Promise<TokenStore>;
}

async function desk(platform: NodeJS.Platform, limit: number): Promise<Desk> {
  const keychain = capped(limit);
  const paths = temporaryPaths();
  const again = async (): Promise<TokenStore> =>
    createKeychainStore({ ...(await authEnvironment({ paths })), platform }, { items: keychain });
  return { store: await again(), keychain, folder: join(paths.config, 'sessions'), again };
}

const session = (bytes: number): string => JSON.stringify({ accessToken: 'canary'.padEnd(bytes, 'x') });
const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

describe('a session of 4 KB in the keychain', () => {
  test.each<[NodeJS.Platform, number]>([
    ['win32', 2560],
    ['linux', 32_767],
    ['darwin', 16_384],
  ])('fits %s, which takes %i bytes', async (platform, limit) => {
    const { store, again } = await desk(platform, limit);
    await store.write('default', session(4096));
    expect(await (await again()).read('default')).toBe(session(4096));
    expect(await store.delete('default')).toBe(true);
    expect(await store.read('default')).toBeUndefined();
  });
});

describe('on Windows', () => {
  test('a session that fits is only in the keychain', async () => {
    const { store, folder } = await desk('win32', 2560);
    await store.write('default', session(2000));
    expect(filesIn(folder)).toEqual([]);
  });

  test('a session that does not fit is in an encrypted file, mode 0600, and the keychain has the key', async () => {
    const { store, keychain, folder } = await desk('win32', 2560);
    await store.write('default', session(4096));
    expect(filesIn(folder)).toEqual(['default.sealed']);
    const file = join(folder, 'default.sealed');
    expect(readFileSync(file, 'utf8')).not.toContain('canary');
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64').toString('latin1')).not.toContain('canary');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keychain.items.get('default')).not.toContain('canary');
    const first = readFileSync(file, 'utf8');
    const key = keychain.items.get('default');
    await store.write('default', session(4096));
    expect(readFileSync(file, 'utf8')).not.toBe(first);
    expect(keychain.items.get('default')).toBe(key);
  });

  test('the space for a session in an encrypted file is reserved before its renewal', async () => {
    const { store, folder } = await desk('win32', 2560);
    expect(await store.reserve?.('default', 4096)).toBeUndefined();
    await store.write('default', session(4096));
    const space = await store.reserve?.('default', 8192);
    expect(filesIn(folder)).toHaveLength(2);
    await space?.write(session(5000));
    await space?.release();
    expect([await store.read('default'), filesIn(folder)]).toEqual([session(5000), ['default.sealed']]);
  });

  test('a session that fits again is moved to the keychain and the file is removed', async () => {
    const { store, folder } = await desk('win32', 2560);
    await store.write('default', session(4096));
    await store.write('default', '{}');
    expect(await store.read('default')).toBe('{}');
    expect(filesIn(folder)).toEqual([]);
  });

  test('a crash between file and keychain keeps the previous session', async () => {
    const { store, keychain, again } = await desk('win32', 2560);
    await store.write('default', session(100));
    const write = keychain.write.bind(keychain);
    keychain.write = () => Promise.reject(new Error('killed'));
    await expect(store.write('default', session(4096))).rejects.toThrow('killed');
    keychain.write = write;
    expect(await (await again()).read('default')).toBe(session(100));
  });

  test('a crash between keychain and file keeps the previous session', async () => {
    const { store, keychain, again } = await desk('win32', 2560);
    await store.write('default', session(4096));
    const write = keychain.write.bind(keychain);
    keychain.write = () => Promise.reject(new Error('killed'));
    await expect(store.write('default', '{}')).rejects.toThrow('killed');
    keychain.write = write;
    expect(await (await again()).read('default')).toBe(session(4096));
  });

  test('a file that cannot be written keeps the previous session', async () => {
    const { store, folder } = await desk('win32', 2560);
    await store.write('default', session(100));
    mkdirSync(join(folder, 'default.sealed'), { recursive: true, mode: 0o700 });
    await expect(store.write('default', session(4096))).rejects.toMatchObject({ code: 'token_store_failed' });
    expect(await store.read('default')).toBe(session(100));
  });

  test('no space is reserved for a session in the keychain', async () => {
    const { store, folder } = await desk('win32', 2560);
    await store.write('default', session(2000));
    expect([await store.reserve?.('default', 4096), filesIn(folder)]).toEqual([undefined, []]);
  });

  test('each session has its own key', async () => {
    const { store, keychain } = await desk('win32', 2560);
    for (const name of ['one', 'two']) await store.write(name, session(4096));
    expect(keychain.items.get('one')).not.toBe(keychain.items.get('two'));
  });

  test('a file that was changed, or replaced by another, is rejected', async () => {
    const { store, folder } = await desk('win32', 2560);
    await store.write('default', session(4096));
    await store.write('other', session(5000));
    const file = join(folder, 'default.sealed');
    const encrypted = Buffer.from(readFileSync(file, 'utf8'), 'base64');
    encrypted[40] = (encrypted[40] ?? 0) ^ 1;
    writeFileSync(file, encrypted.toString('base64'), { mode: 0o600 });
    const rejection = { exit: 12, code: 'token_store_failed' };
    await expect(store.read('default')).rejects.toMatchObject(rejection);
    writeFileSync(file, readFileSync(join(folder, 'other.sealed')), { mode: 0o600 });
    await expect(store.read('default')).rejects.toMatchObject(rejection);
  });

  test('a session whose file was changed counts as damaged, so that logout removes it', async () => {
    const { store, keychain, folder } = await desk('win32', 2560);
    const environment = await authEnvironment();
    const repository = new SessionRepository(store, environment);
    await store.write(repository.item, session(4096));
    const [file = ''] = filesIn(folder);
    writeFileSync(join(folder, file), 'changed', { mode: 0o600 });
    await expect(repository.require()).rejects.toMatchObject({
      message: expect.stringContaining('is damaged'),
    });
    const { unusable } = await signOut(environment, repository, false);
    expect([unusable, keychain.items.size, filesIn(folder)]).toEqual(['damaged', 0, []]);
  });

  test('a session whose file was changed does not prevent the next sign-in', async () => {
    const { store, folder } = await desk('win32', 2560);
    const repository = new SessionRepository(store, await authEnvironment());
    await store.write(repository.item, session(4096));
    const [file = ''] = filesIn(folder);
    writeFileSync(join(folder, file), 'changed', { mode: 0o600 });
    const url = new URL('https://platform.example');
    expect(await knownClientSecret(() => repository, 'keychain', url, 'app')).toBeUndefined();
    await store.write(repository.item, session(5000));
    expect(await store.read(repository.item)).toBe(session(5000));
  });
});
