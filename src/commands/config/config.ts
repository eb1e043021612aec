import { resolve } from 'node:path';
import { configFilePath, settingKeys, updateConfigFile, type SettingKey } from '../../config/index.ts';
import { suggest } from '../../platform/suggest.ts';
import type { Context } from '../../runtime/context.ts';
import type { Setting } from '../../runtime/settings.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Column, View } from '../../runtime/output.ts';

export interface ConfigListOptions {
  readonly showOrigin?: boolean | undefined;
}
export interface ConfigKeyOptions {
  readonly key: string;
}
export interface ConfigSetOptions extends ConfigKeyOptions {
  readonly value: string;
}

type Value = string | number | boolean | readonly string[];

interface Row {
  readonly key: string;
  readonly value: string | number | boolean | undefined;
  readonly origin: Setting<unknown>['origin'];
  readonly source: string;
  /** What holds where there is no one value. */
  readonly usual?: string | undefined;
}

/** The format of results while nobody set one. */
const usualOutput =
  'table on a terminal, else tsv; ndjson of live commands, json of api and schema, yaml of queue export';

const shown: readonly Column<Row>[] = [
  { key: 'key', title: 'Setting', value: (row) => row.key },
  { key: 'value', title: 'Value', value: (row) => row.value ?? row.usual },
];
const origins: readonly Column<Row>[] = [
  { key: 'origin', title: 'Origin', value: (row) => row.origin },
  { key: 'source', title: 'From', value: (row) => row.source },
];

/** `config list` */
export async function listSettings(ctx: Context, { showOrigin }: ConfigListOptions): Promise<void> {
  await ctx.out.list(rows(ctx), { columns: showOrigin ? [...shown, ...origins] : shown });
}

/** `config get KEY` */
export async function getSetting(ctx: Context, { key }: ConfigKeyOptions): Promise<void> {
  const row = rows(ctx).find((one) => one.key === key);
  if (!row) throw unknownKey(ctx, key);
  if (row.value === undefined) {
    const usual = row.usual === undefined ? '' : `: ${row.usual}`;
    throw notFoundError(`${key} is not set${usual}`, ucctl(`config set ${key} VALUE`));
  }
  await ctx.out.record(row, { columns: [...shown, ...origins] });
}

/** `config set KEY VALUE` */
export async function setSetting(ctx: Context, { key, value }: ConfigSetOptions): Promise<void> {
  const spec = findKey(ctx, key);
  const read = readValue(spec, key === 'ca-file' && value !== '' ? resolve(ctx.cwd, value) : value);
  if (key === 'proxy' && value.includes('@'))
    throw usageError('a proxy with a password does not belong in the config file', 'set HTTPS_PROXY to it');
  const name = ctx.settings.profile.value;
  const { file } = await updateConfigFile(ctx.paths, ({ current, profiles }) => ({
    current: current ?? name,
    profiles: { [name]: { ...(Object.hasOwn(profiles, name) && profiles[name]), [spec.member]: read } },
  }));
  const now = settingOf(ctx, spec);
  if (now?.origin === 'flag' || now?.origin === 'environment') ctx.out.warn(`${now.source} goes before it.`);
  await ctx.out.record({ key, value: flat(read), origin: 'profile', source: file } as const, {
    columns: [...shown, ...origins],
  });
}

/** `config unset KEY` */
export async function unsetSetting(ctx: Context, { key }: ConfigKeyOptions): Promise<void> {
  const spec = findKey(ctx, key);
  const name = ctx.settings.profile.value;
  await updateConfigFile(ctx.paths, ({ profiles }) => {
    if (!Object.hasOwn(profiles, name)) return {};
    const { [spec.member]: _removed, ...rest } = profiles[name] ?? {};
    return { profiles: { [name]: rest } };
  });
  ctx.out.note(`${key} is not set in profile "${name}" any more.`);
  await ctx.out.record({ key, profile: name, removed: true }, removedView);
}

const removedView: View<{ readonly key: string; readonly profile: string; readonly removed: boolean }> = {
  columns: [
    { key: 'key', title: 'Setting', value: (row) => row.key },
    { key: 'profile', title: 'Profile', value: (row) => row.profile },
    { key: 'removed', title: 'Removed', value: (row) => row.removed },
  ],
};

/** `config path` */
export async function showPath(ctx: Context): Promise<void> {
  await ctx.out.record(
    { file: configFilePath(ctx.paths) },
    { columns: [{ key: 'file', title: 'File', value: (row) => row.file }] },
  );
}

function rows(ctx: Context): readonly Row[] {
  const { profile, clientSecret, token } = ctx.settings;
  const plain = Object.values(settingKeys).map((spec) => rowOf(spec.key, settingOf(ctx, spec)));
  return [
    rowOf('profile', profile),
    ...plain,
    rowOf('client-secret', masked(clientSecret)),
    rowOf('token', masked(token)),
  ];
}

function settingOf(ctx: Context, spec: SettingKey): Setting<Value | undefined> | undefined {
  return ctx.settings[spec.member];
}

function rowOf(key: string, setting: Setting<Value | undefined> | undefined): Row {
  const { value, origin, source } = setting ?? { value: undefined, origin: 'default', source: 'default' };
  const given = key === 'proxy' ? withoutPassword(value) : flat(value);
  return {
    key,
    value: given,
    origin,
    source,
    ...(key === 'output' && given === undefined && { usual: usualOutput }),
  };
}

function flat(value: Value | undefined): string | number | boolean | undefined {
  return typeof value === 'object' ? value.join(',') : value;
}

/** A proxy's user name and password are for nobody to see. */
function withoutPassword(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/^([a-z]+:\/\/)?.*@/is, '$1***@') : undefined;
}

/** Secrets are never shown, only that they are there. */
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
      `${key} is a secret; the config file never holds one`,
      key === 'token'
        ? 'set UCCTL_TOKEN'
        : nextStep`${ucctl('login')} asks for it and keeps it with the session`,
    );
  }
  if (key === 'profile')
    return usageError('the profile is chosen with another command', ucctl('profile use NAME'));
  const near = suggest(
    key.toLowerCase(),
    rows(ctx).map((row) => row.key),
  );
  return usageError(
    `there is no setting "${key}"`,
    nextStep`${near.length > 0 ? `did you mean ${near.join(' or ')}? ` : ''}${ucctl('config list')} shows all`,
  );
}

function readValue(spec: SettingKey, text: string): Value {
  try {
    return spec.read(text);
  } catch (error) {
    throw usageError(`${spec.key}: ${(error as Error).message}`);
  }
}
