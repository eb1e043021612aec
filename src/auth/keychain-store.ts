import type { AuthEnvironment } from './environment.ts';
import { callKeychainChild } from './keychain-call.ts';
import { performKeychainRequest, type KeychainAnswer, type KeychainRequest } from './keychain-entry.ts';
import {
  keychainError,
  keychainLocked,
  keychainMissing,
  keychainWithoutDefault,
  type KeychainPurpose,
} from './keychain-errors.ts';
import { askKeychainState } from './keychain-state.ts';
import type { TokenStore } from './token-store.ts';

/** The smallest limit among the platforms is 2560 bytes; a margin is left for its own envelope. */
const MAX_WINDOWS_BYTES = 2400;
const LIMIT_MILLISECONDS = 5000;
const LIMIT_WITH_PERSON_MILLISECONDS = 60_000;

/** The operating system's keychain: Secret Service on Linux, Keychain on macOS, Credential Manager on Windows. Never anything else. */
export function createKeychainStore(environment: AuthEnvironment): TokenStore {
  const keychain = new Keychain(environment);
  return {
    kind: 'keychain',
    place: placeName(environment.platform),
    async read(item) {
      const answer = await keychain.read(item);
      return answer.text;
    },
    async write(item, text) {
      if (environment.platform === 'win32' && Buffer.byteLength(text) > MAX_WINDOWS_BYTES) {
        throw keychainError('longer than the platform limit', 'save');
      }
      await keychain.inChild({ op: 'write', item, text }, 'save');
    },
    async delete(item) {
      const answer = await keychain.inChild({ op: 'delete', item }, 'read');
      return answer.found ?? false;
    },
    async preflight() {
      await keychain.inChild({ op: 'preflight', item: '.preflight' }, 'save');
    },
  };
}

type Success = Extract<KeychainAnswer, { ok: true }>;

class Keychain {
  readonly #environment: AuthEnvironment;

  constructor(environment: AuthEnvironment) {
    this.#environment = environment;
  }

  /** In process when the keyring is unlocked, else in a child: a locked one may wait for a person. */
  async read(item: string): Promise<Success> {
    const { platform, env } = this.#environment;
    const request = { op: 'read', item } as const;
    if (platform !== 'linux') return settle(await attempt(request), 'read');
    const state = await this.#state('read');
    // The native library reads the bus address from the environment of the process itself.
    const sameBus = env['DBUS_SESSION_BUS_ADDRESS'] === process.env['DBUS_SESSION_BUS_ADDRESS'];
    if (state === 'unlocked' && sameBus) return settle(await watched(attempt(request)), 'read');
    return this.#child(request, 'read');
  }

  async inChild(request: KeychainRequest, purpose: KeychainPurpose): Promise<Success> {
    if (this.#environment.platform === 'linux') await this.#state(purpose);
    return this.#child(request, purpose);
  }

  async #state(purpose: KeychainPurpose): Promise<'unlocked' | 'locked' | 'unknown'> {
    const state = await askKeychainState(this.#environment.env);
    if (state === 'no-service') throw keychainMissing(purpose);
    if (state === 'no-default') throw keychainWithoutDefault();
    return state;
  }

  async #child(request: KeychainRequest, purpose: KeychainPurpose): Promise<Success> {
    const { env, interactive, signal } = this.#environment;
    const answer = await callKeychainChild(request, {
      env,
      signal,
      limitMilliseconds: interactive ? LIMIT_WITH_PERSON_MILLISECONDS : LIMIT_MILLISECONDS,
      onWaiting: interactive
        ? () => this.#environment.note?.('Waiting for your keyring to be unlocked…')
        : undefined,
    });
    return settle(answer, purpose);
  }
}

async function attempt(request: KeychainRequest): Promise<KeychainAnswer> {
  try {
    return await performKeychainRequest(request);
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}

/**
 * For the moment between the question and the read, in which the keyring may be locked: a read that hangs would keep even
 * process.exit() from ending the process, so after a fair time for the error to be shown only a signal is left.
 */
async function watched(reading: Promise<KeychainAnswer>): Promise<KeychainAnswer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000).unref();
      resolve(undefined);
    }, LIMIT_MILLISECONDS);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function settle(answer: KeychainAnswer | undefined, purpose: KeychainPurpose): Success {
  if (!answer) throw keychainLocked();
  if (!answer.ok) throw keychainError(answer.message, purpose);
  return answer;
}

function placeName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'the macOS Keychain';
  if (platform === 'win32') return 'the Windows Credential Manager';
  return 'the keyring (Secret Service)';
}
