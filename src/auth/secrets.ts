import type { Secrets } from '../runtime/auth.ts';
import type { AuthEnvironment } from './environment.ts';
import type { SessionKeeper } from './session-keeper.ts';

/** Secrets beside the session of `keeper`, under the same name. */
export function secretsOf(keeper: () => SessionKeeper, { settings }: AuthEnvironment): Secrets {
  const itemOf = (name: string): string => `${keeper().item}#${name}`;
  const keeps = settings.token.value === undefined || settings.store.origin !== 'default';
  return {
    read: async (name) => (keeps ? keeper().store.read(itemOf(name)) : undefined),
    async write(name, text) {
      if (keeps) await keeper().store.write(itemOf(name), text);
      return keeps;
    },
    delete: async (name) => keeps && keeper().store.delete(itemOf(name)),
  };
}
