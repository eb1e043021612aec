import type { SessionTable } from '../store/index.ts';
import type { TokenStore } from './token-store.ts';

/** Loads the encryption with node:crypto, which sessions in a keychain or file do not need. */
export const encryption = () => import('./store-key.ts');

/**
 * Returns a token store in PostgreSQL, whose items are encrypted with a key that only the machines of the user have.
 */
export function storeTokenStore(
  open: () => Promise<SessionTable>,
  key: () => Promise<Buffer>,
  place: string,
): TokenStore {
  return {
    kind: 'postgres',
    place,
    async read(item) {
      const stored = await (await open()).read(item);
      return stored && (await encryption()).decryptFromStore(stored.encrypted, await key(), item);
    },
    async write(item, text) {
      const { encryptForStore } = await encryption();
      await (await open()).write(item, encryptForStore(text, await key(), item));
    },
    list: async (prefix) => (await open()).items(prefix),
    delete: async (item) => (await open()).delete(item),
    async preflight() {
      // No profile has a name with this first character.
      const item = '.preflight';
      await this.write(item, 'test');
      await this.read(item);
      await this.delete(item);
    },
  };
}
