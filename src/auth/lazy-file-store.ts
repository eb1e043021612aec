import { sessionsFolder } from './sessions-folder.ts';
import type { TokenStore } from './token-store.ts';

/** Returns the file store, loaded at its first use, because most sessions are in a keychain. */
export function lazyFileStore(configFolder: string, suffix?: string): TokenStore {
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
    reserve: async (item, bytes) => (await store()).reserve?.(item, bytes),
    list: async (prefix) => (await (await store()).list?.(prefix)) ?? [],
    delete: async (item) => (await store()).delete(item),
    preflight: async () => (await store()).preflight(),
  };
}
