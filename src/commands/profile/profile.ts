import {
  checkProfileName,
  readConfigFile,
  resolveSettings,
  settingKeys,
  updateConfigFile,
  type ConfigFile,
  type StoredProfile,
} from '../../config/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';

export interface ProfileNameOptions {
  readonly name: string;
}
export interface ProfileShowOptions {
  readonly name?: string | undefined;
}
export interface ProfileAddOptions extends ProfileNameOptions {
  readonly clientId?: string | undefined;
  readonly store?: 'keychain' | 'file' | 'memory' | undefined;
  readonly redirectUri: readonly string[];
}

type Row = StoredProfile & { readonly name: string; readonly current: boolean };

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const view: View<Row> = {
  columns: [
    { key: 'current', title: 'In use', value: (row) => (row.current ? '*' : '') },
    { key: 'name', title: 'Name', value: (row) => row.name },
    { key: 'baseUrl', title: 'Service', value: (row) => text(row['baseUrl']) },
    { key: 'clientId', title: 'Application', value: (row) => text(row['clientId']), priority: 1 },
    { key: 'store', title: 'Store', value: (row) => text(row['store']), priority: 2 },
  ],
  empty: 'No profiles. Make one: ucctl login --base-url URL',
};

/** `profile list` */
export async function listProfiles(ctx: Context): Promise<void> {
  const config = await readConfigFile(ctx.paths);
  const names = Object.keys(config.profiles).sort();
  await ctx.out.list(
    names.map((name) => rowOf(ctx, config, name)),
    view,
  );
}

/** `profile use NAME` */
export async function useProfile(ctx: Context, { name }: ProfileNameOptions): Promise<void> {
  const config = await updateConfigFile(ctx.paths, (before) => {
    requireProfile(before, name);
    return { current: name };
  });
  const { source, origin } = ctx.settings.profile;
  if (origin === 'environment') ctx.out.warn(`${source} is set and goes before it.`);
  await ctx.out.record({ ...rowOf(ctx, config, name), current: true }, view);
}

/** `profile show [NAME]` */
export async function showProfile(ctx: Context, { name }: ProfileShowOptions): Promise<void> {
  const config = await readConfigFile(ctx.paths);
  const shown = name ?? ctx.settings.profile.value;
  requireProfile(config, shown);
  await ctx.out.record(rowOf(ctx, config, shown), view);
}

/** `profile add NAME` */
export async function addProfile(ctx: Context, options: ProfileAddOptions): Promise<void> {
  const { name, clientId, store, redirectUri } = options;
  checkProfileName(name);
  const { baseUrl } = ctx.settings;
  const profile = {
    ...(baseUrl.origin === 'flag' && { baseUrl: baseUrl.value }),
    ...(clientId !== undefined && { clientId }),
    ...(store !== undefined && { store }),
    ...(redirectUri.length > 0 && { redirectUris: readUris(redirectUri) }),
  };
  const config = await updateConfigFile(ctx.paths, (before) => {
    if (Object.hasOwn(before.profiles, name)) {
      throw new CommandError('profile_exists', Exit.conflict, `there is a profile "${name}" already`, {
        hint: `change it with: ucctl -p ${name} config set KEY VALUE`,
      });
    }
    return { current: before.current ?? name, profiles: { [name]: profile } };
  });
  await ctx.out.record(rowOf(ctx, config, name), view);
}

/** `profile remove NAME` */
export async function removeProfile(ctx: Context, { name }: ProfileNameOptions): Promise<void> {
  requireProfile(await readConfigFile(ctx.paths), name);
  await requireSignedOut(ctx, name);
  await updateConfigFile(ctx.paths, ({ current, profiles }) => {
    const next = Object.keys(profiles).find((other) => other !== name);
    return { current: current === name ? next : current, profiles: { [name]: undefined } };
  });
  ctx.out.note(`Profile "${name}" is removed.`);
  await ctx.out.record({ name, removed: true }, removedView);
}

/** @throws {CommandError} `profile_signed_in` (exit 11). */
async function requireSignedOut(ctx: Context, name: string): Promise<void> {
  const auth = await ctx.auth();
  const settings = await resolveSettings({ flags: { profile: name }, env: ctx.env, paths: ctx.paths });
  const session = await auth.describe(settings).catch((error: unknown) => {
    if (!(error instanceof CommandError) || error.code !== 'keychain_missing') throw error;
    // Without a keychain nobody signed in to one here; a profile that names it may be of a desktop's session.
    if (settings.store.origin !== 'default')
      ctx.out.warn(
        `${error.message} If "${name}" is signed in where there is one, that session stays there.`,
      );
    return undefined;
  });
  if (session) {
    throw new CommandError('profile_signed_in', Exit.conflict, `profile "${name}" is signed in`, {
      hint: ucctl(`logout -p ${name}`),
    });
  }
}

const removedView: View<{ readonly name: string; readonly removed: boolean }> = {
  columns: [
    { key: 'name', title: 'Profile', value: (row) => row.name },
    { key: 'removed', title: 'Removed', value: (row) => row.removed },
  ],
};

function rowOf(ctx: Context, { profiles }: ConfigFile, name: string): Row {
  return { name, current: name === ctx.settings.profile.value, ...profiles[name] };
}

function requireProfile({ profiles }: ConfigFile, name: string): void {
  if (Object.hasOwn(profiles, name)) return;
  const names = Object.keys(profiles).sort();
  throw notFoundError(
    `there is no profile "${name}"`,
    names.length > 0 ? `there are: ${names.join(', ')}` : ucctl('login'),
  );
}

function readUris(uris: readonly string[]): readonly string[] {
  try {
    return settingKeys.redirectUris.check(uris);
  } catch (error) {
    throw usageError(`--redirect-uri: ${(error as Error).message}`);
  }
}
