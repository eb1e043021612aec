import {
  checkProfileName,
  readConfigFile,
  resolveSettings,
  readRedirectUris,
  settingKeys,
  updateConfigFile,
  type ConfigFile,
} from '../../config/index.ts';
import type { DryRunOption } from '../../runtime/dry-run-option.ts';
import type { StoredSecrets } from '../../runtime/auth.ts';
import type { Context } from '../../runtime/context.ts';
import type { Settings } from '../../runtime/settings.ts';
import { CommandError, Exit, KeychainMissingError, notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';
import { profileColumns, profileRows, removedRows, type ProfileRow } from './profile.rows.ts';

export interface ProfileNameOptions {
  readonly name: string;
}
export interface ProfileShowOptions {
  readonly name?: string | undefined;
}
export interface ProfileRemoveOptions extends ProfileNameOptions, DryRunOption {}
export interface ProfileAddOptions extends ProfileNameOptions {
  readonly clientId?: string | undefined;
  readonly store?: string | undefined;
  readonly redirectUri: readonly string[];
}

export async function listProfiles(ctx: Context): Promise<void> {
  const config = await readConfigFile(ctx.paths);
  const names = Object.keys(config.profiles).sort();
  await ctx.out.list(
    names.map((name) => rowOf(ctx, config, name)),
    profileRows.pick(profileColumns),
  );
}

export async function useProfile(ctx: Context, { name }: ProfileNameOptions): Promise<void> {
  const config = await updateConfigFile(ctx.paths, (before) => {
    requireProfile(before, name);
    return { current: name };
  });
  const { source, origin } = ctx.settings.profile;
  if (origin === 'environment') ctx.out.warn(`${source} is set and overrides the profile that you selected.`);
  await ctx.out.record({ ...rowOf(ctx, config, name), current: true }, profileRows.pick(profileColumns));
}

export async function showProfile(ctx: Context, { name }: ProfileShowOptions): Promise<void> {
  const config = await readConfigFile(ctx.paths);
  const shown = name ?? ctx.settings.profile.value;
  requireProfile(config, shown);
  await ctx.out.record(rowOf(ctx, config, shown), profileRows.pick(profileColumns));
}

export async function addProfile(ctx: Context, options: ProfileAddOptions): Promise<void> {
  const { name, clientId, store, redirectUri } = options;
  checkProfileName(name);
  const { baseUrl } = ctx.settings;
  const profile = {
    ...(baseUrl.origin === 'flag' && { baseUrl: baseUrl.value }),
    ...(clientId !== undefined && { clientId }),
    ...(store !== undefined && { store: storeIn(store) }),
    ...(redirectUri.length > 0 && { redirectUris: readRedirectUris(redirectUri) }),
  };
  const config = await updateConfigFile(ctx.paths, (before) => {
    if (isListed(before, name)) {
      throw new CommandError('profile_exists', Exit.conflict, `profile "${name}" already exists`, {
        hint: nextStep`to change it: ${ucctl`-p ${name} config set KEY VALUE`}`,
      });
    }
    return { current: before.current ?? name, profiles: { [name]: profile } };
  });
  await ctx.out.record(rowOf(ctx, config, name), profileRows.pick(profileColumns));
}

/** @throws {CommandError} `profile_signed_in` (exit 11), also in a dry run. */
export async function removeProfile(ctx: Context, { name, dryRun }: ProfileRemoveOptions): Promise<void> {
  if (dryRun) {
    const config = await readConfigFile(ctx.paths);
    await requireRemovable(ctx, config, name);
    ctx.out.note(`Dry run: ucctl would remove profile "${name}".`);
    for (const { count, place } of await secretsOf(ctx, name))
      ctx.out.note(`Dry run: ucctl would delete ${secretsText(count)} in ${place}.`);
    const next = currentWithout(config, name);
    if (next !== undefined && next !== config.current)
      ctx.out.note(`Dry run: profile "${next}" would be the default profile.`);
    return ctx.out.record({ name, removed: false }, removedRows.record);
  }
  let previous: string | undefined;
  // The check runs under the lock, because a login stores its session first and then the profile. The profile is
  // removed last, so that the command can be repeated if the secrets cannot be deleted.
  const { current } = await updateConfigFile(ctx.paths, async (before) => {
    await requireRemovable(ctx, before, name);
    await deleteSecrets(ctx, name, isListed(before, name));
    previous = before.current;
    return { current: currentWithout(before, name), profiles: { [name]: undefined } };
  });
  ctx.out.note(`Removed profile "${name}".`);
  if (current !== undefined && current !== previous)
    ctx.out.note(`Profile "${current}" is the default profile now.`);
  await ctx.out.record({ name, removed: true }, removedRows.record);
}

/** Returns the default profile after the removal of a profile; undefined if no profile remains. */
function currentWithout({ current, profiles }: ConfigFile, removed: string): string | undefined {
  return current === removed ? Object.keys(profiles).find((other) => other !== removed) : current;
}

/**
 * Requires a profile of the config file, or stored secrets: with UCCTL_TOKEN, secrets are stored without a profile.
 * @throws {CommandError} if there is neither, or if the profile is signed in.
 */
async function requireRemovable(ctx: Context, config: ConfigFile, name: string): Promise<void> {
  if (!isListed(config, name) && (await secretsOf(ctx, name)).length === 0)
    throw profileNotFound(config, name);
  if (!(await checkSignedIn(ctx, name))) return;
  throw new CommandError('profile_signed_in', Exit.conflict, `profile "${name}" is signed in`, {
    hint: ucctl`logout -p ${name}`,
  });
}

/** Returns the keys of subscriptions and the addresses of chat webhooks that are stored for a profile. */
async function secretsOf(ctx: Context, name: string): Promise<readonly StoredSecrets[]> {
  const [auth, settings] = await Promise.all([ctx.auth(), settingsOf(ctx, name)]);
  return auth.storedSecrets(settings);
}

/**
 * Deletes the stored secrets of a profile.
 * @param isInConfig whether the profile also has settings, which are removed even without the keychain
 * @throws {KeychainMissingError} if there is nothing else to remove.
 */
async function deleteSecrets(ctx: Context, name: string, isInConfig: boolean): Promise<void> {
  for (const secrets of await secretsOf(ctx, name)) {
    const what = `${secretsText(secrets.count)} in ${secrets.place}`;
    try {
      await secrets.delete();
      ctx.out.note(`Deleted ${what}.`);
    } catch (error) {
      if (!(error instanceof KeychainMissingError)) throw error;
      const problem = `could not delete ${what}: ${error.message}`;
      const hint = 'run the command where the keychain is available, for example in your desktop session';
      if (!isInConfig) throw new KeychainMissingError(problem, { hint, cause: error });
      ctx.out.warn(problem);
    }
  }
}

function secretsText(count: number): string {
  return `${counted(count, 'secret')} of subscriptions and chat webhooks`;
}

/** @throws {CommandError} `usage` (exit 2) for a value that the setting does not accept. */
function storeIn(text: string): string {
  try {
    return settingKeys.store.check(text);
  } catch (error) {
    throw usageError(`--store: ${(error as Error).message}`);
  }
}

/** Returns whether the profile has a session. Warns if its keychain cannot be read. */
async function checkSignedIn(ctx: Context, name: string): Promise<boolean> {
  const [auth, settings] = await Promise.all([ctx.auth(), settingsOf(ctx, name)]);
  const session = await auth.describe(settings).catch((error: unknown) => {
    if (!(error instanceof KeychainMissingError)) throw error;
    // Returns the note for a profile that stores its session in the keychain, if this login session has no keychain. A
    // desktop session may have a keychain.
    if (settings.store.origin !== 'default')
      ctx.out.warn(
        `${error.message}; if profile "${name}" is signed in on a desktop with a keychain, the keychain still contains the session`,
      );
    return undefined;
  });
  return session !== undefined;
}

function settingsOf({ env, paths }: Context, name: string): Promise<Settings> {
  return resolveSettings({ flags: { profile: name }, env, paths });
}

function rowOf(ctx: Context, { profiles }: ConfigFile, name: string): ProfileRow {
  // Settings of a later version have no JSON field.
  const known = Object.entries(profiles[name] ?? {}).filter(([member]) => Object.hasOwn(settingKeys, member));
  return { name, current: name === ctx.settings.profile.value, ...Object.fromEntries(known) };
}

function isListed({ profiles }: ConfigFile, name: string): boolean {
  return Object.hasOwn(profiles, name);
}

function requireProfile(config: ConfigFile, name: string): void {
  if (!isListed(config, name)) throw profileNotFound(config, name);
}

function profileNotFound({ profiles }: ConfigFile, name: string): CommandError {
  const names = Object.keys(profiles).sort();
  return notFoundError(
    `profile "${name}" not found`,
    names.length > 0 ? `existing profiles: ${names.join(', ')}` : ucctl('login'),
  );
}
