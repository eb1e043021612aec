import type * as Keyring from '@napi-rs/keyring';
import { ownProcess } from '../platform/own-process.ts';
import { loadNativeAddon } from '../platform/native-addon.ts';

export type KeychainRequest =
  | { readonly op: 'read'; readonly item: string }
  | { readonly op: 'write'; readonly item: string; readonly text: string }
  | { readonly op: 'delete'; readonly item: string }
  | { readonly op: 'preflight'; readonly item: string };

export type KeychainAnswer =
  | { readonly ok: true; readonly text?: string; readonly found?: boolean }
  | {
      readonly ok: false;
      readonly message: string;
      /** The keychain was not asked, because the native addon cannot be loaded. */
      readonly isAddonMissing?: boolean;
    };

/** The native addon cannot be loaded: it is not installed, lacks a library, or cannot be extracted. */
class AddonError extends Error {}

/** Returns the answer for an error of `performKeychainRequest`. */
export function answerForError(error: unknown): KeychainAnswer {
  const { message } = error as Error;
  return { ok: false, message, ...(error instanceof AddonError && { isAddonMissing: true }) };
}

/** The input of the child process on stdin. */
export interface KeychainCall {
  readonly request: KeychainRequest;
  /** Cache folder of ucctl, for the native addon of the single executable. */
  readonly cacheFolder: string;
}

/**
 * Performs a keychain request in this process. May wait for a prompt without a timeout.
 * @throws the error of the keychain.
 */
export async function performKeychainRequest({
  request,
  cacheFolder,
}: KeychainCall): Promise<KeychainAnswer> {
  if (request.op === 'preflight') {
    // Every check runs in a separate process, and several may run at the same time.
    return preflight(await open(`${request.item}-${ownProcess.pid}`, cacheFolder));
  }
  const entry = await open(request.item, cacheFolder);
  if (request.op === 'write') {
    await entry.setSecret(Buffer.from(request.text, 'utf8'));
    return { ok: true };
  }
  if (request.op === 'delete') return { ok: true, found: await entry.deleteCredential() };
  const secret = await entry.getSecret();
  return { ok: true, ...(secret && { text: Buffer.from(secret).toString('utf8') }) };
}

async function preflight(entry: Keyring.AsyncEntry): Promise<KeychainAnswer> {
  const probe = Buffer.from('ucctl checks that this keychain can store a session', 'utf8');
  await entry.setSecret(probe);
  const back = await entry.getSecret();
  await entry.deleteCredential();
  const same = back !== null && Buffer.from(back).equals(probe);
  return same
    ? { ok: true }
    : { ok: false, message: 'the keychain returned a value that differs from the stored value' };
}

const name = '@napi-rs/keyring';

async function open(item: string, cacheFolder: string): Promise<Keyring.AsyncEntry> {
  // The keychain library is loaded on demand, because it is a native library. The store option prevents a
  // fallback on Linux to the keyring of the
  // kernel, which loses its items after three days and at every boot.
  const keyring = await loadNativeAddon(name, () => import('@napi-rs/keyring'), cacheFolder).catch(
    (error: unknown) => {
      throw new AddonError((error as Error).message, { cause: error });
    },
  );
  return new keyring.AsyncEntry('ucctl', item, { linux: { store: 'secret-service' } });
}
