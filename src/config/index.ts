import { join } from 'node:path';
import type { Paths, Setting, Settings } from '../runtime/context.ts';
import type { System } from '../runtime/system.ts';

/** Settings that flags of this run gave. */
export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly language?: string | undefined;
  readonly store?: 'keychain' | 'file' | 'memory' | undefined;
}

/** Stand-in until the profile file is there: one directory below the home directory. */
export function resolvePaths(system: System): Paths {
  const root = join(system.homeDirectory, '.ucctl');
  const config = system.env['UCCTL_CONFIG_DIR'] ?? root;
  return { config, state: join(config, 'state'), cache: join(config, 'cache'), data: join(config, 'data') };
}

/** Stand-in until the profile file is there: flag > environment > default. */
export function resolveSettings(from: {
  readonly flags: SettingFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: Paths;
}): Promise<Settings> {
  const { flags, env } = from;
  const pick = <T>(flag: T | undefined, name: string, read: (text: string) => T, other: T): Setting<T> => {
    if (flag !== undefined) return { value: flag, origin: 'flag', source: 'command line' };
    const text = env[name];
    if (text) return { value: read(text), origin: 'environment', source: name };
    return { value: other, origin: 'default', source: 'built in' };
  };
  const word = (text: string): string => text;
  return Promise.resolve({
    profile: pick(flags.profile, 'UCCTL_PROFILE', word, 'default'),
    baseUrl: pick<string | undefined>(flags.baseUrl, 'UCCTL_BASE_URL', word, undefined),
    clientId: pick<string | undefined>(undefined, 'UCCTL_CLIENT_ID', word, undefined),
    clientSecret: pick<string | undefined>(undefined, 'UCCTL_CLIENT_SECRET', word, undefined),
    token: pick<string | undefined>(undefined, 'UCCTL_TOKEN', word, undefined),
    redirectUris: pick<readonly string[]>(undefined, 'UCCTL_REDIRECT_URIS', (text) => text.split(','), []),
    store: pick(flags.store, 'UCCTL_STORE', (text) => (text === 'file' ? 'file' : 'keychain'), 'keychain'),
    timeoutSeconds: pick(flags.timeoutSeconds, 'UCCTL_TIMEOUT', Number, 30),
    language: pick<string | undefined>(flags.language, 'UCCTL_LANG', word, undefined),
  });
}
