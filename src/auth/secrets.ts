import type { Secrets } from '../runtime/auth.ts';
import type { AuthEnvironment } from './environment.ts';
import type { SessionRepository } from './session-repository.ts';

/** Secrets in the token store of the session. Their names are derived from the name of the session. */
export function secretsOf(repository: () => SessionRepository, { settings }: AuthEnvironment): Secrets {
  const itemOf = (name: string): string => `${repository().item}#${name}`;
  const isStored = settings.token.value === undefined || settings.store.origin !== 'default';
  return {
    read: async (name) => (isStored ? repository().store.read(itemOf(name)) : undefined),
    async write(name, text) {
      if (isStored) await repository().store.write(itemOf(name), text);
      return isStored;
    },
    delete: async (name) => isStored && repository().store.delete(itemOf(name)),
  };
}
