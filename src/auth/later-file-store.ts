import { join } from 'node:path';
import type { TokenStore } from './token-store.ts';

/** Where files of sessions are. */
export function sessionsFolder(configFolder: string): string {
  return join(configFolder, 'sessions');
}

/** The file store, loaded at its first use: most sessions are in a keychain, and their start should not pay for it. */
export function laterFileStore(configFolder: string, suffix?: string): TokenStore {
  let loaded: Promise<TokenStore> | undefined;
  const store = (): Promise<TokenStore> => {
    loaded ??= import('./file-store.ts').then(({ createFileStore }) => createFileStore(configFolder, suffix));
    return loaded;
  };
  return {
    kind: 'file',
    place: sessionsFolder(configFolder),
    read: async (item) => (await store()).read(item),
    write: async (item, text) => (await store()).write(item, text),
    delete: async (item) => (await store()).delete(item),
    preflight: async () => (await store()).preflight(),
  };
}
