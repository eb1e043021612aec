/** Reads the configuration. Every run loads this module, so it excludes the code that changes the configuration. */
export { requireKnownProfile } from './known-profile.ts';
export { resolvePaths } from './paths.ts';
export { settingKeys } from './setting-keys.ts';
export { resolveSettings } from './settings.ts';
