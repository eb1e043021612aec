import type { AuthEnvironment } from './environment.ts';
import type { SessionKeeper } from './session-keeper.ts';

/** Small secrets of a profile besides its session, such as keys of subscriptions and addresses of chat webhooks. */
export interface Secrets {
  /** Undefined when there is none. @throws {CommandError} exit 12. */
  read(name: string): Promise<string | undefined>;
  /** Whether it was kept: a run with UCCTL_TOKEN keeps nothing, unless a store is named. @throws {CommandError} exit 12. */
  write(name: string, text: string): Promise<boolean>;
  /** Whether there was one. @throws {CommandError} exit 12. */
  delete(name: string): Promise<boolean>;
}

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
