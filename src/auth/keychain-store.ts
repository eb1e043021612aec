import type { AuthEnvironment } from './environment.ts';
import { performKeychainRequest, type KeychainAnswer, type KeychainRequest } from './keychain-entry.ts';
import {
  keychainError,
  keychainLocked,
  keychainMissing,
  keychainWithoutDefault,
  type KeychainPurpose,
} from './keychain-errors.ts';
import { askKeychainState } from './keychain-state.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { laterFileStore } from './later-file-store.ts';
import type { TokenStore } from './token-store.ts';
import { ownProcess } from '../platform/own-process.ts';

/** Credential Manager takes 2560 bytes; a margin is left. The other keychains take a session of any size. */
const windowsBytes = 2400;
/** With what surrounds it, an answer within five seconds. */
const limitMilliseconds = 4000;
const limitWithPersonMilliseconds = 60_000;

/** How the text of a sealed item's key begins (sealed-item.ts, which is loaded only for those). */
const sealedStart = '{"sealed":1,';
const sealing = () => import('./sealed-item.ts');

/** A keychain as the store uses it: small texts by name. */
export interface KeychainItems {
  read(item: string): Promise<string | undefined>;
  write(item: string, text: string): Promise<void>;
  delete(item: string): Promise<boolean>;
  preflight(item: string): Promise<void>;
}

export interface KeychainParts {
  readonly items?: KeychainItems;
  /** The largest text that the keychain takes. */
  readonly maxBytes?: number;
}

/**
 * The operating system's keychain: Secret Service on Linux, Keychain on macOS, Credential Manager on Windows. Never anything else. What is too large
 * for it is kept in a file encrypted with a key that the keychain holds.
 */
export function createKeychainStore(environment: AuthEnvironment, parts: KeychainParts = {}): TokenStore {
  const { platform, paths } = environment;
  const { items = new Keychain(environment) } = parts;
  const maxBytes = parts.maxBytes ?? (platform === 'win32' ? windowsBytes : Infinity);
  const files = laterFileStore(paths.config, '.sealed');
  return {
    kind: 'keychain',
    place: placeName(platform),
    async read(item) {
      const text = await items.read(item);
      if (!text?.startsWith(sealedStart)) return text;
      const key = (await sealing()).parseSealKey(text);
      const sealed = await files.read(item);
      return sealed === undefined ? undefined : open(sealed, key, item);
    },
    async write(item, text) {
      if (Buffer.byteLength(text) <= maxBytes) {
        await items.write(item, text);
        await files.delete(item);
        return;
      }
      // The key stays as long as the item does, so that a crash between file and keychain never leaves a file without its key.
      const known = await items.read(item);
      const { newSealKey, parseSealKey, seal, sealKeyText } = await sealing();
      if (known?.startsWith(sealedStart)) return files.write(item, seal(text, parseSealKey(known), item));
      const fresh = newSealKey();
      await files.write(item, seal(text, fresh, item));
      await items.write(item, sealKeyText(fresh));
    },
    async delete(item) {
      const there = await items.delete(item);
      await files.delete(item);
      return there;
    },
    preflight: () => items.preflight('.preflight'),
  };
}

async function open(sealed: string, key: Buffer, item: string): Promise<string> {
  try {
    const { unseal } = await sealing();
    return unseal(sealed, key, item);
  } catch (error) {
    throw new CommandError(
      'token_store_failed',
      Exit.local,
      'the encrypted session file does not fit the key in the keychain',
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

  /** In process when the keyring is unlocked, else in a child: a locked one may wait for a person. */
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
    const { platform, env } = this.#environment;
    const request = { op: 'read', item } as const;
    if (platform !== 'linux') return settle(await attempt(request), 'read');
    const state = await this.#state('read');
    // The native library reads the bus address from the environment of the process itself.
    const sameBus = env['DBUS_SESSION_BUS_ADDRESS'] === ownProcess.sessionBus;
    if (state === 'unlocked' && sameBus) return settle(await watched(attempt(request)), 'read');
    return this.#child(request, 'read');
  }

  async #inChild(request: KeychainRequest, purpose: KeychainPurpose): Promise<Success> {
    if (this.#environment.platform === 'linux') await this.#state(purpose);
    return this.#child(request, purpose);
  }

  async #state(purpose: KeychainPurpose): Promise<'unlocked' | 'locked' | 'unknown'> {
    // The first question comes before any request; a later one beside whatever this process serves.
    const atOnce = !this.#wasAsked;
    this.#wasAsked = true;
    const state = await askKeychainState(this.#environment.env, atOnce);
    if (state === 'no-service') throw keychainMissing(purpose);
    if (state === 'no-default') throw keychainWithoutDefault();
    return state;
  }

  async #child(request: KeychainRequest, purpose: KeychainPurpose): Promise<Success> {
    const { env, interactive, signal } = this.#environment;
    const { callKeychainChild } = await import('./keychain-call.ts');
    const answer = await callKeychainChild(request, {
      env,
      signal,
      limitMilliseconds: interactive ? limitWithPersonMilliseconds : limitMilliseconds,
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
  if (!answer.ok) throw keychainError(answer.message, purpose);
  return answer;
}

function placeName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'the macOS Keychain';
  if (platform === 'win32') return 'the Windows Credential Manager';
  return 'the keyring (Secret Service)';
}
