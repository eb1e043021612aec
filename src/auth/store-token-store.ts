import type { SessionTable } from '../store/index.ts';
import { decryptFromStore, encryptForStore } from './store-key.ts';
import type { TokenStore } from './token-store.ts';

/**
 * Returns a token store in PostgreSQL, whose items are encrypted with a key that only the machines of the user have.
 */
export function storeTokenStore(
  open: () => Promise<SessionTable>,
  key: () => Buffer,
  place: string,
): TokenStore {
  return {
    kind: 'postgres',
    place,
    async read(item) {
      const stored = await (await open()).read(item);
      return stored && decryptFromStore(stored.encrypted, key(), item);
    },
    async write(item, text) {
      await (await open()).write(item, encryptForStore(text, key(), item));
    },
    delete: async (item) => (await open()).delete(item),
    async preflight() {
      const item = 'preflight';
      await this.write(item, 'test');
      await this.read(item);
      await this.delete(item);
    },
  };
}
