import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeychainStore } from '../../src/auth/keychain-store.ts';
import { askKeychainState } from '../../src/auth/keychain-state.ts';
import type { TokenStore } from '../../src/auth/token-store.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import {
  secretServiceMissing,
  startSecretService,
  type SecretService,
  type Situation,
} from '../support/secret-service.ts';
import { nextStep, ucctl } from '../../src/errors/hint.ts';

const missing = secretServiceMissing();

const locked = {
  exit: 12,
  code: 'keychain_locked',
  message: 'the keyring is locked',
  hint: nextStep`unlock the keyring (desktop prompt, or gnome-keyring-daemon --unlock) and run the command again, or store the session in a file: ${ucctl('login --store file')}`,
};
const noService = {
  exit: 12,
  code: 'keychain_missing',
  message: 'the session cannot be saved: no keychain service is available (no D-Bus session)',
  hint: nextStep`store the session in a file: ${ucctl('login --store file')} (plain text, mode 0600), or set UCCTL_TOKEN`,
};
const noDefault = {
  exit: 12,
  code: 'keychain_no_default',
  message: 'the keyring service has no default keyring',
};

describe.skipIf(missing)('the keychain on a real Secret Service', () => {
  describe('unlocked', () => {
    const at = use('unlocked');

    test('stores, reads and deletes any text', async () => {
      const store = await at.store();
      const text = JSON.stringify({ token: 'abc', name: 'Zoë 🎧' });
      expect(await store.read('a')).toBeUndefined();
      await store.write('a', text);
      expect(await store.read('a')).toBe(text);
      await store.write('a', '{}');
      expect(await store.read('a')).toBe('{}');
      expect(await store.delete('a')).toBe(true);
      expect(await store.delete('a')).toBe(false);
      expect(await store.read('a')).toBeUndefined();
    });

    test('stores the tokens of a renewal also after Ctrl-C', async () => {
      const stop = new AbortController();
      const store = createKeychainStore(await authEnvironment({ env: at.env(), signal: stop.signal }));
      const writing = store.write('b', 'renewed');
      stop.abort(new Error('stopped by the user'));
      await writing;
      await store.write('c', 'renewed');
      const other = await at.store();
      expect([await other.read('b'), await other.read('c')]).toEqual(['renewed', 'renewed']);
    });

    test('passes the check before sign-in, which leaves no items', async () => {
      const store = await at.store();
      await store.preflight();
      expect(await store.read('.preflight')).toBeUndefined();
    });

    test('passes checks of several sign-ins at the same time', async () => {
      const store = await at.store();
      await expect(Promise.all([1, 2, 3, 4, 5, 6].map(() => store.preflight()))).resolves.toHaveLength(6);
    });

    test('spec:CLIENT-6 is detected as unlocked without access to items', async () => {
      expect(await askKeychainState(at.env())).toBe('unlocked');
      expect(await askKeychainState(at.env(), true)).toBe('unlocked');
    });
  });

  describe('no-provider', () => {
    const at = use('no-provider');

    test('a session that cannot be read names the sign-in that needs no keychain', async () => {
      const store = await at.store();
      await expect(store.read('kept')).rejects.toMatchObject({
        exit: 12,
        hint: nextStep`store the session in a file: ${ucctl('login --store file')} (plain text, mode 0600), or set UCCTL_TOKEN`,
      });
    });
  });

  describe.each<[Situation, object]>([
    ['locked', locked],
    ['restarted', locked],
    ['no-default', noDefault],
    ['no-provider', noService],
  ])('%s', (situation, rejection) => {
    const at = use(situation);

    test('is rejected, with the next step', async () => {
      const store = await at.store();
      await expect(store.preflight()).rejects.toMatchObject(rejection);
    });

    test('reading is rejected too: it never looks like an empty keychain', async () => {
      const store = await at.store();
      await expect(store.read('kept')).rejects.toMatchObject({ exit: 12 });
    });
  });

  describe('locked, with an unanswered prompt', () => {
    const at = use('locked-waiting');

    test('spec:CLIENT-6 the wait has a limit; a message explains it, and the user can stop it', async () => {
      const store = await at.store();
      const stop = new AbortController();
      const notes: string[] = [];
      const environment = await authEnvironment({
        env: at.env(),
        interactive: () => true,
        signal: stop.signal,
        note(text) {
          notes.push(text);
          stop.abort(new Error('stopped by the user'));
        },
      });
      // Side by side: each waits for seconds.
      await Promise.all([
        expect(store.read('kept')).rejects.toMatchObject(locked),
        expect(createKeychainStore(environment).read('kept')).rejects.toThrow('stopped by the user'),
      ]);
      expect(notes).toEqual(['Waiting for you to unlock your keyring…']);
    });
  });

  test.each([
    ['no bus at all', {}],
    ['a stale socket', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }],
  ])('%s counts as no keychain service', async (_name, more) => {
    const env = { PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: '/nonexistent', ...more };
    const store = createKeychainStore(await authEnvironment({ env }));
    await expect(store.preflight()).rejects.toMatchObject(noService);
    await expect(store.read('kept')).rejects.toMatchObject({
      exit: 12,
      message: 'the session cannot be read: no keychain service is available (no D-Bus session)',
    });
  });
});

const noPaths = {
  config: '/nonexistent',
  state: '/nonexistent',
  cache: '/nonexistent',
  data: '/nonexistent',
};

function use(situation: Situation): { store(): Promise<TokenStore>; env(): Record<string, string> } {
  let service: SecretService | undefined;
  beforeAll(async () => {
    service = await startSecretService(situation, async (env) => {
      await createKeychainStore(await authEnvironment({ env, paths: noPaths })).write('kept', 'secret');
    });
  });
  afterAll(() => service?.stop());
  const env = (): Record<string, string> => ({ ...service?.env });
  return { env, store: async () => createKeychainStore(await authEnvironment({ env: env() })) };
}
