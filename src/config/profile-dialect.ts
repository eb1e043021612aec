import type { Paths } from '../runtime/context.ts';
import type { Settings } from '../runtime/settings.ts';
import { readConfigFile } from './config-file.ts';

/**
 * Returns whether a flag, a variable or the profile sets the dialect. The dialect of a profile applies only to the base
 * URL of the profile, if it has one.
 */
export async function isDialectSet(settings: Settings, paths: Paths, baseUrl: string): Promise<boolean> {
  const { dialect, profile } = settings;
  if (dialect.origin !== 'profile') return dialect.origin !== 'default';
  const { profiles } = await readConfigFile(paths);
  const stored = Object.hasOwn(profiles, profile.value) ? profiles[profile.value]?.['baseUrl'] : undefined;
  return stored === undefined || stored === baseUrl;
}
