import { resolve } from 'node:path';
import {
  configFilePath,
  fileStoreError,
  isValid,
  readConfigFile,
  settingKeys,
  storeInProfile,
  updateConfigFile,
  type ConfigFile,
  type SettingKey,
} from '../../config/index.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { isStoreUrl, storeWithoutPassword } from '../../platform/store-address.ts';
import { suggest } from '../../platform/suggest.ts';
import type { Context } from '../../runtime/context.ts';
import type { DryRunOption } from '../../runtime/dry-run-option.ts';
import type { Setting } from '../../runtime/settings.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import {
  descriptionColumns,
  fileRows,
  originColumns,
  removedRows,
  settingRows,
  valueColumns,
  type SettingRow,
} from './setting.rows.ts';
import { maskUserInfo } from '../../platform/user-info.ts';

export interface ConfigListOptions {
  readonly showOrigin?: boolean | undefined;
  readonly describe?: boolean | undefined;
}
export interface ConfigKeyOptions {
  readonly key: string;
}
export interface ConfigUnsetOptions extends ConfigKeyOptions, DryRunOption {}
export interface ConfigSetOptions extends ConfigUnsetOptions {
  readonly value: string;
}

type Value = string | number | boolean | readonly string[];

/** The default output format, which depends on the command. */
const defaultOutput =
  'table on a terminal, otherwise tsv; ndjson for live commands, json for api and schema, yaml for exports of queues, people, hours and rules';

export async function listSettings(ctx: Context, { showOrigin, describe }: ConfigListOptions): Promise<void> {
  const values = showOrigin ? originColumns : valueColumns;
  const columns = describe ? descriptionColumns : values;
  await ctx.out.list(listed(ctx), settingRows.pick(columns));
}

export async function getSetting(ctx: Context, { key }: ConfigKeyOptions): Promise<void> {
  const row = listed(ctx).find((one) => one.key === key);
  if (!row) throw unknownKey(ctx, key);
  if (row.value === undefined) {
    const fallback = row.default === undefined ? '' : `; default: ${row.default}`;
    throw notFoundError(`${key} is not set${fallback}`, ucctl`config set ${key} VALUE`);
  }
  await ctx.out.record(row, settingRows.record);
}

export async function setSetting(ctx: Context, { key, value, dryRun }: ConfigSetOptions): Promise<void> {
  const spec = findKey(ctx, key);
  const read = readValue(spec, key === 'ca-file' && value !== '' ? resolve(ctx.cwd, value) : value);
  if (key === 'proxy' && value.includes('@'))
    throw usageError(
      'ucctl does not store a proxy address with a password in the config file',
      'set the address in HTTPS_PROXY instead',
    );
  const name = ctx.settings.profile.value;
  const file = configFilePath(ctx.paths);
  await requireNoFileStore(ctx, spec, read);
  if (dryRun) ctx.out.note(`Dry run: ${await changeText(ctx, spec, read)} in ${file}.`);
  else {
    await confirmLocalStore(ctx, spec, read);
    await storeInProfile(ctx.paths, name, { [spec.member]: read });
  }
  const now = settingOf(ctx, spec);
  if (now?.origin === 'flag' || now?.origin === 'environment')
    ctx.out.warn(`${now.source} is set and overrides this value.`);
  const row: SettingRow = { key, value: flat(read), origin: 'profile', source: file };
  await ctx.out.record(row, settingRows.record);
}

/** @throws {CommandError} `usage` (exit 2) if the address of a PostgreSQL store would replace the token store `file`. */
async function requireNoFileStore(ctx: Context, { member }: SettingKey, value: Value): Promise<void> {
  if (member !== 'store' || !isStoreUrl(String(value))) return;
  const name = ctx.settings.profile.value;
  if (storedValue(await readConfigFile(ctx.paths), name, member) === 'file')
    throw fileStoreError(name, String(value));
}

/**
 * Asks before a token store of this machine replaces the address of a PostgreSQL store, because the setting has one value.
 * @throws {CommandError} `declined` or `confirmation_needed` (exit 9)
 */
async function confirmLocalStore(ctx: Context, spec: SettingKey, value: Value): Promise<void> {
  if (spec.member !== 'store' || isStoreUrl(String(value))) return;
  const name = ctx.settings.profile.value;
  const address = storedValue(await readConfigFile(ctx.paths), name, spec.member);
  if (typeof address !== 'string' || !isStoreUrl(address) || !isValid(spec, address)) return;
  ctx.out.warn(
    nextStep`profile "${name}" would no longer use the store ${address}; to use it again: ${ucctl`config set store ${address}`}`,
  );
  await requireConfirmation(
    ctx,
    `Replace the store of profile "${name}" with ${String(value)}?`,
    'the setting is unchanged',
  );
}

/** Returns the change of a stored value, for `--dry-run`. */
async function changeText(ctx: Context, spec: SettingKey, value: Value): Promise<string> {
  const { key, member } = spec;
  const stored = storedValue(await readConfigFile(ctx.paths), ctx.settings.profile.value, member);
  const text = (one: Value | undefined): string =>
    String(rowOf(key, { value: one, origin: 'profile', source: '' }).value ?? '(not set)');
  const isBroken = stored !== undefined && !isValid(spec, stored);
  const [before, after] = [isBroken ? '(not valid)' : text(stored), text(value)];
  return before === after ? `${key} is already ${after}` : `${key} would change from ${before} to ${after}`;
}

/** Returns the value of a setting in the config file; undefined if the profile does not have it. */
function storedValue(
  { profiles }: ConfigFile,
  profile: string,
  member: SettingKey['member'],
): Value | undefined {
  return Object.hasOwn(profiles, profile) ? (profiles[profile]?.[member] as Value | undefined) : undefined;
}

export async function unsetSetting(ctx: Context, { key, dryRun }: ConfigUnsetOptions): Promise<void> {
  const spec = findKey(ctx, key);
  const name = ctx.settings.profile.value;
  const notSet = `${key} is not set in profile "${name}".`;
  if (dryRun) {
    const found = storedValue(await readConfigFile(ctx.paths), name, spec.member) !== undefined;
    ctx.out.note(`Dry run: ${found ? `ucctl would remove ${key} from profile "${name}".` : notSet}`);
    return ctx.out.record({ key, profile: name, removed: false }, removedRows.record);
  }
  let removed = false;
  await updateConfigFile(ctx.paths, (config) => {
    removed = storedValue(config, name, spec.member) !== undefined;
    if (!removed) return {};
    const { [spec.member]: _removed, ...rest } = config.profiles[name] ?? {};
    return { profiles: { [name]: rest } };
  });
  ctx.out.note(removed ? `Removed ${key} from profile "${name}".` : notSet);
  await ctx.out.record({ key, profile: name, removed }, removedRows.record);
}

export async function showPath(ctx: Context): Promise<void> {
  await ctx.out.record({ file: configFilePath(ctx.paths) }, fileRows.record);
}

function listed(ctx: Context): readonly SettingRow[] {
  const { profile, clientSecret, token } = ctx.settings;
  const plain = Object.values(settingKeys).map((spec) => rowOf(spec.key, settingOf(ctx, spec), spec.summary));
  return [
    rowOf('profile', profile, 'Profile in use'),
    ...plain,
    rowOf('client-secret', masked(clientSecret), 'Client secret of the app'),
    rowOf('token', masked(token), 'Access token of UCCTL_TOKEN'),
  ];
}

function settingOf(ctx: Context, spec: SettingKey): Setting<Value | undefined> {
  const { storeUrl } = ctx.settings;
  if (spec.member !== 'store' || storeUrl.value === undefined) return ctx.settings[spec.member];
  return { ...storeUrl, value: storeWithoutPassword(storeUrl.value) };
}

function rowOf(key: string, setting: Setting<Value | undefined>, description?: string): SettingRow {
  const { value, origin, source } = setting;
  const given = key === 'proxy' && typeof value === 'string' ? maskUserInfo(value) : flat(value);
  return {
    key,
    value: given,
    origin,
    source,
    description,
    ...(key === 'output' && given === undefined && { default: defaultOutput }),
  };
}

function flat(value: Value | undefined): string | number | boolean | undefined {
  return typeof value === 'object' ? value.join(',') : value;
}

/** Shows only that a secret is set, never its value. */
function masked(setting: Setting<string | undefined>): Setting<string | undefined> {
  return setting.value === undefined ? setting : { ...setting, value: '********' };
}

function findKey(ctx: Context, key: string): SettingKey {
  const found = Object.values(settingKeys).find((spec) => spec.key === key);
  if (!found) throw unknownKey(ctx, key);
  return found;
}

function unknownKey(ctx: Context, key: string): Error {
  if (key === 'client-secret' || key === 'token' || key === 'password') {
    return usageError(
      `${key} is a secret, and the config file never contains secrets`,
      key === 'token'
        ? 'set UCCTL_TOKEN'
        : nextStep`${ucctl('login')} asks for the ${key} and stores it with the session`,
    );
  }
  if (key === 'profile') return usageError('"profile" is not a setting', ucctl('profile use NAME'));
  const near = suggest(
    key.toLowerCase(),
    listed(ctx).map((row) => row.key),
  );
  return usageError(
    `setting "${key}" not found`,
    nextStep`${near.length > 0 ? `did you mean ${near.join(' or ')}? ` : ''}to list all settings: ${ucctl('config list')}`,
  );
}

function readValue(spec: SettingKey, text: string): Value {
  try {
    // The rules for values in the config file are stricter than the rules for variables.
    const value = spec.check(spec.read(text));
    spec.checkNew?.(value);
    return value;
  } catch (error) {
    throw usageError(`${spec.key}: ${(error as Error).message}`);
  }
}
