import { isHeaderSafe } from '../platform/header-safe.ts';
import { dialects, type DialectName } from '../contract/dialects.ts';
import type { Paths } from '../runtime/context.ts';
import { filledVariable } from '../runtime/variable.ts';
import type { Setting, Settings } from '../runtime/settings.ts';
import { CommandError, Exit, usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { readConfigFile, type ConfigFile } from './config-file.ts';
import { checkProfileName } from './profile-name.ts';
import type { ProfileValues, SettingKey } from './setting-key.ts';
import { settingKeys } from './setting-keys.ts';
import { storesOf } from './store-setting.ts';

/** Values given by flags, already parsed by the command line. */
export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly language?: string | undefined;
  readonly tz?: string | undefined;
  readonly dialect?: DialectName | undefined;
  /** A token store, or the address of a PostgreSQL store. */
  readonly store?: string | undefined;
  readonly proxy?: string | undefined;
  readonly caFile?: string | undefined;
  readonly retry?: number | undefined;
  readonly maxWaitSeconds?: number | undefined;
}

export interface SettingSources {
  readonly flags: SettingFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: Paths;
  /** Whether invalid settings of the config file count as not set, for commands that repair the file. */
  readonly skipsInvalid?: boolean | undefined;
}

/** The redirect URIs that are registered for the sample applications of the service and for the sandbox. */
const defaultRedirectUri = 'http://127.0.0.1:8734/callback';
const defaultTimeoutSeconds = 30;
/** The default settings of the API client. */
const defaultRetries = 4;
const defaultMaxWaitSeconds = 125;

/**
 * Resolves the settings of one run, each with its origin. The order of precedence is flag, environment, profile,
 * default.
 * @throws {CommandError} `usage` (exit 2) for a bad flag or variable, `config_broken` (exit 12) for the config file.
 */
export async function resolveSettings(sources: SettingSources): Promise<Settings> {
  const { flags, env } = sources;
  const config = await readConfigFile(sources.paths);
  const profile = resolveProfile(flags, env, config);
  const reader = new SettingReader(sources, config, profile);
  const dialect = reader.read(settingKeys.dialect, 'spec');
  const defaults = dialects[dialect.value];
  // A default that depends on the dialect has the same origin as the dialect.
  const byDialect = <T>(setting: Setting<T>): Setting<T> =>
    setting.origin === 'default' && dialect.origin !== 'default'
      ? { ...setting, source: `dialect ${dialect.value}` }
      : setting;
  return {
    ...(config.ownerlessFolder !== undefined && { ownerlessFolder: config.ownerlessFolder }),
    profile,
    baseUrl: reader.read(settingKeys.baseUrl, undefined),
    clientId: reader.read(settingKeys.clientId, undefined),
    clientSecret: secret(env, 'UCCTL_CLIENT_SECRET'),
    token: tokenOf(env),
    redirectUris: reader.read(settingKeys.redirectUris, [defaultRedirectUri]),
    ...storesOf(
      reader.all(settingKeys.store),
      Boolean(env['UCCTL_STORE_KEY'] || env['UCCTL_STORE_KEY_FILE']),
    ),
    timeoutSeconds: reader.read(settingKeys.timeoutSeconds, defaultTimeoutSeconds),
    language: reader.read(settingKeys.language, undefined),
    output: reader.read(settingKeys.output, undefined),
    tz: reader.read(settingKeys.tz, undefined),
    protect: reader.read(settingKeys.protect, []),
    dialect,
    chatPath: byDialect(reader.read(settingKeys.chatPath, defaults.chatPath)),
    channelTransport: byDialect(reader.read(settingKeys.channelTransport, defaults.channelTransport)),
    ringoutPath: byDialect(reader.read(settingKeys.ringoutPath, defaults.ringoutPath)),
    mediaHosts: reader.read(settingKeys.mediaHosts, []),
    webhookLimitMilliseconds: byDialect(
      reader.read(settingKeys.webhookLimitMilliseconds, defaults.webhookLimitMilliseconds),
    ),
    defaultCountry: reader.read(settingKeys.defaultCountry, undefined),
    smsFrom: reader.read(settingKeys.smsFrom, undefined),
    allowPrefixes: reader.read(settingKeys.allowPrefixes, []),
    forbidPrefixes: reader.read(settingKeys.forbidPrefixes, []),
    quietHours: reader.read(settingKeys.quietHours, undefined),
    maxPerHour: reader.read(settingKeys.maxPerHour, undefined),
    readOnly: reader.read(settingKeys.readOnly, false),
    mcpAllow: reader.read(settingKeys.mcpAllow, []),
    proxy: reader.read(settingKeys.proxy, undefined),
    caFile: reader.read(settingKeys.caFile, undefined),
    mediaStore: reader.read(settingKeys.mediaStore, undefined),
    retry: reader.read(settingKeys.retry, defaultRetries),
    maxWaitSeconds: reader.read(settingKeys.maxWaitSeconds, defaultMaxWaitSeconds),
  };
}

function resolveProfile(
  flags: SettingFlags,
  env: SettingSources['env'],
  config: ConfigFile,
): Setting<string> {
  if (flags.profile !== undefined) {
    return { value: checkProfileName(flags.profile), origin: 'flag', source: '--profile' };
  }
  const fromEnv = filledVariable(env, 'UCCTL_PROFILE');
  if (fromEnv !== undefined)
    return { value: checkProfileName(fromEnv), origin: 'environment', source: 'UCCTL_PROFILE' };
  if (config.current !== undefined) return { value: config.current, origin: 'profile', source: config.file };
  return { value: 'default', origin: 'default', source: 'default' };
}

function secret(env: SettingSources['env'], variable: string): Setting<string | undefined> {
  const value = env[variable];
  return value
    ? { value, origin: 'environment', source: variable }
    : { value: undefined, origin: 'default', source: 'default' };
}

/** Trims the token, because a file ends with a line break, and checks that it can be sent in a header. */
function tokenOf(env: SettingSources['env']): Setting<string | undefined> {
  const value = filledVariable(env, 'UCCTL_TOKEN')?.trim();
  if (value === undefined) return { value, origin: 'default', source: 'default' };
  if (isHeaderSafe(value)) return { value, origin: 'environment', source: 'UCCTL_TOKEN' };
  throw usageError(
    'UCCTL_TOKEN is not a valid token: a token is one line without spaces',
    'to read the token from a file: UCCTL_TOKEN="$(cat FILE)"',
  );
}

class SettingReader {
  readonly #sources: SettingSources;
  readonly #config: ConfigFile;
  readonly #profile: Setting<string>;

  constructor(sources: SettingSources, config: ConfigFile, profile: Setting<string>) {
    this.#sources = sources;
    this.#config = config;
    this.#profile = profile;
  }

  read<M extends keyof ProfileValues, D extends ProfileValues[M] | undefined>(
    key: SettingKey<M>,
    fallback: D,
  ): Setting<ProfileValues[M] | D> {
    for (const setting of this.#levels(key)) return setting;
    return { value: fallback, origin: 'default', source: 'default' };
  }

  /** Returns all values of a setting, highest precedence first. */
  all<M extends keyof ProfileValues>(key: SettingKey<M>): readonly Setting<ProfileValues[M]>[] {
    return [...this.#levels(key)];
  }

  *#levels<M extends keyof ProfileValues>(key: SettingKey<M>): Generator<Setting<ProfileValues[M]>> {
    const { flags, env, skipsInvalid } = this.#sources;
    const flag = (flags as Readonly<Record<string, unknown>>)[key.member];
    if (flag !== undefined) {
      const source = key.flag ?? key.key;
      yield { value: checked(() => key.check(flag), source), origin: 'flag', source };
    }
    for (const name of key.variables ?? [key.variable]) {
      const variable = env[name];
      if (variable)
        yield { value: checked(() => key.read(variable), name), origin: 'environment', source: name };
    }
    const stored = this.#stored(key.member);
    if (stored === undefined || (skipsInvalid && !isValid(key, stored))) return;
    yield { value: this.#check(key, stored), origin: 'profile', source: this.#config.file };
  }

  #stored(member: string): unknown {
    const { profiles } = this.#config;
    const name = this.#profile.value;
    if (!Object.hasOwn(profiles, name)) return undefined;
    const profile = profiles[name];
    return profile && Object.hasOwn(profile, member) ? profile[member] : undefined;
  }

  #check<M extends keyof ProfileValues>(key: SettingKey<M>, stored: unknown): ProfileValues[M] {
    try {
      return key.check(stored);
    } catch (error) {
      throw invalidSetting(this.#config.file, key, this.#profile, error as Error);
    }
  }
}

/** Whether a value of the config file is valid for a setting. */
export function isValid(key: SettingKey, stored: unknown): boolean {
  try {
    key.check(stored);
    return true;
  } catch {
    return false;
  }
}

/** Returns the error for an invalid setting of the config file (exit 12), with the commands that repair the file. */
function invalidSetting(
  file: string,
  { key, member }: SettingKey,
  profile: Setting<string>,
  cause: Error,
): CommandError {
  const what = `"${member}" of profile "${profile.value}": ${cause.message}`;
  // The run has no settings yet, so nothing else adds the profile to the commands.
  const own = profile.origin === 'flag' ? ['-p', profile.value] : [];
  return new CommandError('config_broken', Exit.local, `the config file is not valid: ${file}: ${what}`, {
    hint: nextStep`remove the setting: ${ucctl`${own} config unset ${key}`}; or correct it: ${ucctl`${own} config set ${key} VALUE`}`,
    cause,
  });
}

function checked<T>(read: () => T, source: string): T {
  try {
    return read();
  } catch (error) {
    throw usageError(`${source}: ${(error as Error).message}`);
  }
}
