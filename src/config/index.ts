export { requireBaseUrl } from './base-url.ts';
export {
  configFilePath,
  readConfigFile,
  updateConfigFile,
  type ConfigChange,
  type ConfigFile,
  type StoredProfile,
} from './config-file.ts';
export { resolvePaths, type PathSources } from './paths.ts';
export { checkProfileName } from './profile-name.ts';
export { settingKeys, STORES, type ProfileValues, type SettingKey } from './setting-keys.ts';
export { DEFAULT_REDIRECT_URI, resolveSettings, type SettingFlags, type SettingSources } from './settings.ts';
