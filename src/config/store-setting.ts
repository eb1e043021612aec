import { usageError, type CommandError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { checkStoreUrl, isStoreUrl, storeWithoutPassword } from '../platform/store-address.ts';
import type { Setting, Settings } from '../runtime/settings.ts';
import type { SettingKey } from './setting-key.ts';
import { tokenStores } from '../runtime/token-stores.ts';
import { maskUserInfo } from '../platform/user-info.ts';

type TokenStoreName = (typeof tokenStores)[number];

/** The setting `store`: a token store of this machine, or the address of a PostgreSQL store that machines share. */
export const storeKey: SettingKey<'store'> = {
  key: 'store',
  member: 'store',
  variable: 'UCCTL_STORE',
  flag: '--store',
  summary: 'Token store (keychain, file, memory), or PostgreSQL store shared by machines (postgres://...)',
  // The text of a variable may contain a password; flags and the config file may not.
  read: (text) => storeIn(text, true),
  check(value) {
    if (typeof value !== 'string') throw new RangeError('must be a string');
    return storeIn(value, false);
  },
};

function storeIn(text: string, mayHavePassword: boolean): string {
  if (isStoreUrl(text)) return checkStoreUrl(text, mayHavePassword);
  if (isTokenStore(text)) return text;
  throw new RangeError(
    `"${maskUserInfo(text)}" is not a valid store; use ${tokenStores.join(', ')} or postgres://USER@HOST/DATABASE`,
  );
}

function isTokenStore(text: string): text is TokenStoreName {
  return tokenStores.some((name) => name === text);
}

/**
 * The error for the address of a PostgreSQL store that would replace the token store `file` of a profile. The setting has one
 * value, so the profile would lose its session.
 */
export function fileStoreError(profile: string, address: string): CommandError {
  return usageError(
    `profile "${profile}" stores its session in a file, and the store ${storeWithoutPassword(address)} would replace this setting`,
    nextStep`set the address in UCCTL_STORE; or remove the setting, and sign in again afterwards: ${ucctl('config unset store')}`,
  );
}

/**
 * Splits the values of the setting, highest precedence first. The first value decides whether the profile uses a shared
 * store. The first value that names a token store decides the token store, so that the address of a shared store does
 * not hide it. If a key for the shared store is set, the session is in the shared store.
 */
export function storesOf(
  values: readonly Setting<string>[],
  hasKey: boolean,
): Pick<Settings, 'store' | 'storeUrl'> {
  const [first] = values;
  const local = values.find((setting): setting is Setting<TokenStoreName> => isTokenStore(setting.value));
  const none = { value: undefined, origin: 'default', source: 'default' } as const;
  if (first && isStoreUrl(first.value) && hasKey)
    return { store: { ...first, value: 'postgres' }, storeUrl: first };
  return {
    store: local ?? { ...none, value: 'keychain' },
    storeUrl: first && isStoreUrl(first.value) ? first : none,
  };
}
