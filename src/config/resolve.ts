/** What every run needs of the configuration, apart from what only changes it. */
export { requireKnownProfile } from './known-profile.ts';
export { resolvePaths } from './paths.ts';
export { resolveSettings } from './settings.ts';
