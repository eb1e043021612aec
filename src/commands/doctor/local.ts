import { access, constants, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configFilePath, missingProfile } from '../../config/index.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import {
  networkFileSystemOf,
  networkFolderWarning,
  type FileSystemType,
} from '../../platform/network-folder.ts';
import { DatabaseError } from '../../platform/database-error.ts';
import { checkIntegrity } from '../../platform/sqlite/read-only.ts';
import { dialects } from '../../contract/dialects.ts';
import { registrableDomain } from '../../platform/registrable-domain.ts';
import { messageOf } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

/**
 * Checks whether the profile exists, and whether file locks work in the config folder. Unreadable settings stop every
 * command before this check.
 */
export async function checkConfig(ctx: Context): Promise<Finding> {
  const missing = await missingProfile(ctx.settings, ctx.paths);
  if (missing) return fail('config', missing.text, missing.hint);
  const warning = await networkFolderWarning(ctx.paths.config);
  if (warning !== undefined) return warn('config', warning, 'UCCTL_CONFIG_DIR=/local/folder');
  return ok('config', `${configFilePath(ctx.paths)}, profile "${ctx.settings.profile.value}"`);
}

/**
 * Checks whether ucctl can write to its folders, or create them, and whether its databases are local. Some commands need
 * no folder, so this is a warning.
 */
export async function checkFolders(ctx: Pick<Context, 'paths'>, typeOf?: FileSystemType): Promise<Finding> {
  const problems = (await Promise.all(foldersOf(ctx).map(problemOfFolder))).filter(
    (one) => one !== undefined,
  );
  if (problems.length === 0) {
    return (await networkDatabases(ctx, typeOf)) ?? ok('folders', 'ucctl can write to its folders');
  }
  return warn(
    'folders',
    `ucctl cannot write to ${problems.join(', ')}`,
    'check the owner and mode of the folder, or select another folder: ucctl help environment',
  );
}

/**
 * Returns a warning if databases are on a network file system. Processes share a database in WAL mode through shared
 * memory, which machines do not have in common.
 */
async function networkDatabases(
  { paths }: Pick<Context, 'paths'>,
  typeOf: FileSystemType | undefined,
): Promise<Finding | undefined> {
  const folders = [
    ['UCCTL_STATE_DIR', paths.state],
    ['UCCTL_DATA_DIR', paths.data],
  ] as const;
  const found = await Promise.all(
    folders.map(async ([variable, folder]) => {
      const name = await networkFileSystemOf(await existingPartOf(folder), typeOf);
      return name === undefined ? [] : [{ variable, place: `${folder} (${name})` }];
    }),
  );
  const places = found.flat();
  if (places.length === 0) return undefined;
  const local = places.length === 1 ? 'a local folder' : 'local folders';
  return warn(
    'folders',
    `databases are on a network file system: ${places.map(({ place }) => place).join(', ')}. If several machines use a database there, its content can be damaged.`,
    `set ${places.map(({ variable }) => variable).join(' and ')} to ${local}, a separate one for each machine`,
  );
}

function foldersOf({ paths }: Pick<Context, 'paths'>): readonly string[] {
  return [...new Set([paths.config, paths.state, paths.cache, paths.data])];
}

/** Returns the folder with the reason why ucctl cannot write to it; undefined if it can. */
async function problemOfFolder(folder: string): Promise<string | undefined> {
  try {
    const existing = await existingPartOf(folder);
    if (!(await stat(existing)).isDirectory()) return `${folder} (a part of the path is not a folder)`;
    await access(existing, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `${folder} (${fileFailureReason(error)})`;
  }
}

/** Returns the folder, or the nearest folder above it that exists. */
async function existingPartOf(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return existingPartOf(dirname(folder));
  }
}

/** Lists the hosts that receive the token for recordings, voicemails and faxes. */
export async function checkMediaHosts({ settings }: Context): Promise<Finding> {
  const { baseUrl, mediaHosts, dialect } = settings;
  const address = baseUrl.value ?? '';
  const service = URL.canParse(address) ? new URL(address) : undefined;
  const rule = dialects[dialect.value].mediaHosts;
  const domain = rule === 'same-domain' && service ? await registrableDomain(service.hostname) : undefined;
  const hosts = [
    service?.host ?? 'the host of the base URL',
    ...(domain === undefined ? [] : [`https hosts of ${domain}`]),
    ...mediaHosts.value,
  ];
  return ok('media-hosts', `to download files, ucctl sends the access token only to ${hosts.join(', ')}`);
}

/** Checks the integrity of every local database. */
export async function checkDatabases(ctx: Context): Promise<Finding> {
  const files = (await Promise.all(foldersOf(ctx).map(databasesBelow))).flat();
  const unchecked: DatabaseError[] = [];
  const broken = files.flatMap((file) => {
    try {
      const problem = checkIntegrity(file);
      return problem === undefined ? [] : [`${file} (${problem})`];
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      unchecked.push(error);
      return [];
    }
  });
  const notChecked = `not checked: ${unchecked.map(messageOf).join('; ')}`;
  if (broken.length > 0) {
    return fail(
      'databases',
      [`damaged: ${broken.join('; ')}`, ...(unchecked.length > 0 ? [notChecked] : [])].join('; '),
      'rename the file, and its -wal and -shm files (mv FILE FILE.old); ucctl creates a new database, and a full sync restores a local mailbox copy',
    );
  }
  const [first] = unchecked;
  if (first) return warn('databases', notChecked, first.hint);
  if (files.length === 0) return ok('databases', 'no databases yet');
  return ok('databases', `${files.length} checked, no damage found`);
}

async function databasesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  // Lock databases are skipped: another process may use them, and ucctl recreates missing lock databases.
  return entries
    .filter(
      (entry) => entry.isFile() && /\.(?:db|sqlite)$/.test(entry.name) && !entry.name.endsWith('.lock.db'),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}
