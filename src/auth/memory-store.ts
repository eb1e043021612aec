import type { TokenStore } from './token-store.ts';

/** Stores items in the memory of this process. */
export function createMemoryStore(): TokenStore {
  const items = new Map<string, string>();
  return {
    kind: 'memory',
    place: 'memory of this process',
    read: (item) => Promise.resolve(items.get(item)),
    write(item, text) {
      items.set(item, text);
      return Promise.resolve();
    },
    list: (prefix) => Promise.resolve([...items.keys()].filter((item) => item.startsWith(prefix))),
    delete: (item) => Promise.resolve(items.delete(item)),
    preflight: () => Promise.resolve(),
  };
}
