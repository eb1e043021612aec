import type { Settings } from './settings.ts';

/** Returns the profile named with `-p`, which commands in hints must use; undefined without `-p`. */
export function namedProfile(settings: Pick<Settings, 'profile'> | undefined): string | undefined {
  return settings?.profile.origin === 'flag' ? settings.profile.value : undefined;
}
