import type { Secrets, StoredSecrets } from '../runtime/auth.ts';
import type { AuthEnvironment } from './environment.ts';
import { lazyFileStore } from './lazy-file-store.ts';
import type { SessionRepository } from './session-repository.ts';

/** Secrets in the token store of the session. */
export function secretsOf(repository: () => SessionRepository, environment: AuthEnvironment): Secrets {
  const { settings } = environment;
  const isStored = settings.token.value === undefined || settings.store.origin !== 'default';
  const items = (): SecretItems => new SecretItems(repository(), environment);
  return {
    read: async (name) => (isStored ? items().read(name) : undefined),
    async write(name, text) {
      if (isStored) await items().write(name, text);
      return isStored;
    },
    delete: async (name) => isStored && items().delete(name),
  };
}

/** Returns the secrets of a profile in those of its token stores that contain any. */
export async function storedSecrets(
  repositories: readonly SessionRepository[],
  environment: AuthEnvironment,
): Promise<readonly StoredSecrets[]> {
  const all = await Promise.all(
    repositories.map(async (repository) => {
      const items = new SecretItems(repository, environment);
      const names = await items.names();
      return {
        place: repository.store.place,
        count: names.length,
        async delete() {
          for (const name of names) await items.delete(name);
        },
      };
    }),
  );
  return all.filter(({ count }) => count > 0);
}

/** The secrets of a profile in one token store. Their items begin with the name of the session. */
class SecretItems {
  readonly #store: SessionRepository['store'];
  readonly #prefix: string;
  /** Empty files with the names of the secrets, because a keychain cannot list its items. */
  readonly #index: SessionRepository['store'] | undefined;

  constructor({ store, item }: SessionRepository, { paths }: AuthEnvironment) {
    this.#store = store;
    this.#prefix = `${item}#`;
    this.#index = store.list ? undefined : lazyFileStore(paths.config, '.name');
  }

  read(name: string): Promise<string | undefined> {
    return this.#store.read(this.#prefix + name);
  }

  async write(name: string, text: string): Promise<void> {
    const item = this.#prefix + name;
    // The name is stored first, so that every secret has a name even if this process is killed.
    await this.#index?.write(item, '');
    await this.#store.write(item, text);
  }

  async delete(name: string): Promise<boolean> {
    const item = this.#prefix + name;
    const existed = await this.#store.delete(item);
    await this.#index?.delete(item);
    return existed;
  }

  async names(): Promise<readonly string[]> {
    const items = await (this.#index ?? this.#store).list?.(this.#prefix);
    return (items ?? []).map((item) => item.slice(this.#prefix.length));
  }
}
