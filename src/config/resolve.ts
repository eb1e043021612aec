/** The configuration that every run reads, without the code that only changes it. */
export { requireKnownProfile } from './known-profile.ts';
export { resolvePaths } from './paths.ts';
export { resolveSettings } from './settings.ts';
