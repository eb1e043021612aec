import type { Settings } from './settings.ts';

/** The profile that `-p` named: commands in hints must be for it, not for the one in use. Undefined where no `-p` was given. */
export function namedProfile(settings: Pick<Settings, 'profile'> | undefined): string | undefined {
  return settings?.profile.origin === 'flag' ? settings.profile.value : undefined;
}
