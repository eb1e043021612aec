import type { AuthEnvironment } from './environment.ts';
import {
  answerForError,
  performKeychainRequest,
  type KeychainAnswer,
  type KeychainCall,
  type KeychainRequest,
} from './keychain-entry.ts';
import {
  keychainAddonMissing,
  keychainError,
  keychainLocked,
  keychainMissing,
  keychainWithoutDefault,
  type KeychainPurpose,
} from './keychain-errors.ts';
import { askKeychainState } from './keychain-state.ts';
import { Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { lazyFileStore } from './lazy-file-store.ts';
import { UndecryptableItemError, type TokenStore } from './token-store.ts';
import { ownProcess } from '../platform/own-process.ts';

/**
 * Maximum size of an item in Windows Credential Manager: 2560 bytes minus a margin. The other keychains have
 * no relevant limit.
 */
const windowsBytes = 2400;
/** Timeout without a person at the terminal: commands report a locked keychain within five seconds. */
const limitMilliseconds = 4000;
const limitWithPersonMilliseconds = 60_000;

/** Prefix of a stored key, so that encrypted-item.ts is loaded only for encrypted items. */
const encryptedStart = '{"sealed":1,';
const encryption = () => import('./encrypted-item.ts');

/** The operations of a keychain: small texts by name. */
export interface KeychainItems {
  read(item: string): Promise<string | undefined>;
  write(item: string, text: string): Promise<void>;
  delete(item: string): Promise<boolean>;
  preflight(item: string): Promise<void>;
}

export interface KeychainParts {
  readonly items?: KeychainItems;
  /** Size of the largest text that the keychain can store. */
  readonly maxBytes?: number;
}

/**
 * The keychain of the operating system: Secret Service on Linux, Keychain on macOS, Credential Manager on Windows. A
 * text that is too large for it is stored in an encrypted file, whose key is stored in the keychain.
 */
export function createKeychainStore(environment: AuthEnvironment, parts: KeychainParts = {}): TokenStore {
  const { platform, paths } = environment;
  const { items = new Keychain(environment) } = parts;
  const maxBytes = parts.maxBytes ?? (platform === 'win32' ? windowsBytes : Infinity);
  const files = lazyFileStore(paths.config, '.sealed');
  return {
    kind: 'keychain',
    place: placeName(platform),
    async read(item) {
      const text = await items.read(item);
      if (!text?.startsWith(encryptedStart)) return text;
      const key = (await encryption()).parseEncryptionKey(text);
      const encrypted = await files.read(item);
      return encrypted === undefined ? undefined : open(encrypted, key, item);
    },
    async write(item, text) {
      if (Buffer.byteLength(text) <= maxBytes) {
        await items.write(item, text);
        await files.delete(item);
        return;
      }
      // The key is reused as long as the item exists, so that a crash between the two writes never leaves a
      // file without its key.
      const known = await items.read(item);
      const { newEncryptionKey, parseEncryptionKey, encrypt, encryptionKeyText } = await encryption();
      if (known?.startsWith(encryptedStart))
        return files.write(item, encrypt(text, parseEncryptionKey(known), item));
      const fresh = newEncryptionKey();
      await files.write(item, encrypt(text, fresh, item));
      await items.write(item, encryptionKeyText(fresh));
    },
    async reserve(item, bytes) {
      if (bytes <= maxBytes) return undefined;
      const known = await items.read(item);
      if (!known?.startsWith(encryptedStart)) return undefined;
      const { encrypt, parseEncryptionKey } = await encryption();
      const key = parseEncryptionKey(known);
      const space = await files.reserve?.(item, encrypt('x'.repeat(bytes), key, item).length);
      return (
        space && { write: (text) => space.write(encrypt(text, key, item)), release: () => space.release() }
      );
    },
    async delete(item) {
      const existed = await items.delete(item);
      await files.delete(item);
      return existed;
    },
    preflight: () => items.preflight('.preflight'),
  };
}

async function open(encrypted: string, key: Buffer, item: string): Promise<string> {
  try {
    const { decrypt } = await encryption();
    return decrypt(encrypted, key, item);
  } catch (error) {
    throw new UndecryptableItemError(
      'token_store_failed',
      Exit.local,
      'the encrypted session file cannot be decrypted with the key in the keychain',
      { hint: nextStep`${ucctl('logout')}, then ${ucctl('login')}`, cause: error },
    );
  }
}

type Success = Extract<KeychainAnswer, { ok: true }>;

class Keychain implements KeychainItems {
  readonly #environment: AuthEnvironment;
  #wasAsked = false;

  constructor(environment: AuthEnvironment) {
    this.#environment = environment;
  }

  /**
   * Reads in this process if the keyring is unlocked, otherwise in a child process, because a locked keyring may wait
   * for a prompt.
   */
  async read(item: string): Promise<string | undefined> {
    const { text } = await this.#read(item);
    return text;
  }

  async write(item: string, text: string): Promise<void> {
    await this.#inChild({ op: 'write', item, text }, 'save');
  }

  async delete(item: string): Promise<boolean> {
    const { found } = await this.#inChild({ op: 'delete', item }, 'read');
    return found ?? false;
  }

  async preflight(item: string): Promise<void> {
    await this.#inChild({ op: 'preflight', item }, 'save');
  }

  async #read(item: string): Promise<Success> {
    const { platform, env, paths } = this.#environment;
    const request = { op: 'read', item } as const;
    const call = { request, cacheFolder: paths.cache };
    if (platform !== 'linux') return settle(await attempt(call), 'read');
    const state = await this.#state('read');
    // The native library reads the bus address from the environment of the process itself.
    const sameBus = env['DBUS_SESSION_BUS_ADDRESS'] === ownProcess.sessionBus;
    if (state === 'unlocked' && sameBus) return settle(await watched(attempt(call)), 'read');
    return this.#child(request, 'read');
  }

  async #inChild(request: KeychainRequest, purpose: KeychainPurpose): Promise<Success> {
    if (this.#environment.platform === 'linux') await this.#state(purpose);
    return this.#child(request, purpose);
  }

  async #state(purpose: KeychainPurpose): Promise<'unlocked' | 'locked' | 'unknown'> {
    // Only the first query may block the process, because requests may be in progress during later queries.
    const atOnce = !this.#wasAsked;
    this.#wasAsked = true;
    const state = await askKeychainState(this.#environment.env, atOnce);
    if (state === 'no-service')
      throw keychainMissing(purpose, this.#environment.settings.storeUrl.value !== undefined);
    if (state === 'no-default') throw keychainWithoutDefault();
    return state;
  }

  async #child(request: KeychainRequest, purpose: KeychainPurpose): Promise<Success> {
    const { env, signal, paths } = this.#environment;
    const interactive = this.#environment.interactive?.() ?? false;
    const { callKeychainChild } = await import('./keychain-call.ts');
    const call = { request, cacheFolder: paths.cache };
    const answer = await callKeychainChild(call, {
      env,
      // The first Ctrl-C does not stop a write, because renewed tokens would be lost, and with them the session.
      signal: request.op === 'write' ? undefined : signal,
      limitMilliseconds: interactive ? limitWithPersonMilliseconds : limitMilliseconds,
      onWaiting: interactive
        ? () => this.#environment.note?.('Waiting for you to unlock your keyring…')
        : undefined,
    });
    return settle(answer, purpose);
  }
}

async function attempt(call: KeychainCall): Promise<KeychainAnswer> {
  try {
    return await performKeychainRequest(call);
  } catch (error) {
    return answerForError(error);
  }
}

/**
 * Limits a read in this process, because the keyring may be locked between the query of its state and the read. A read
 * that hangs prevents even process.exit() from ending the process, so ucctl kills the process with a signal after it
 * has shown the error.
 */
async function watched(reading: Promise<KeychainAnswer>): Promise<KeychainAnswer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      setTimeout(() => ownProcess.kill(), 2000).unref();
      resolve(undefined);
    }, limitMilliseconds);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function settle(answer: KeychainAnswer | undefined, purpose: KeychainPurpose): Success {
  if (!answer) throw keychainLocked();
  if (!answer.ok && answer.isAddonMissing === true) throw keychainAddonMissing(answer.message, purpose);
  if (!answer.ok) throw keychainError(answer.message, purpose);
  return answer;
}

function placeName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'the macOS Keychain';
  if (platform === 'win32') return 'the Windows Credential Manager';
  return 'the keyring (Secret Service)';
}
