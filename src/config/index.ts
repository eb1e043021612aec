export { requireBaseUrl } from './base-url.ts';
export {
  configFilePath,
  readConfigFile,
  storeInProfile,
  updateConfigFile,
  type ConfigFile,
} from './config-file.ts';
export { missingProfile } from './known-profile.ts';
export { resolvePaths } from './paths.ts';
export { isDialectSet } from './profile-dialect.ts';
export { checkProfileName } from './profile-name.ts';
export { readRedirectUris } from './redirect-uris.ts';
export type { SettingKey } from './setting-key.ts';
export { settingKeys } from './setting-keys.ts';
export { fileStoreError } from './store-setting.ts';
export { isValid, resolveSettings, type SettingFlags } from './settings.ts';
