import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { configFilePath, missingProfile } from '../../config/index.ts';
import { networkFolderWarning } from '../../platform/network-folder.ts';
import { checkIntegrity } from '../../platform/sqlite.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

/** The settings could be read, or no command would run; and whether locks hold where they are. */
export async function checkConfig(ctx: Context): Promise<Finding> {
  const missing = await missingProfile(ctx.settings, ctx.paths);
  if (missing) return fail('config', missing.text, missing.hint);
  const warning = await networkFolderWarning(ctx.paths.config);
  if (warning !== undefined) return warn('config', warning, 'UCCTL_CONFIG_DIR=/local/folder');
  return ok('config', `${configFilePath(ctx.paths)}, profile "${ctx.settings.profile.value}"`);
}

/** Every database of ours, asked whether it is whole. */
export async function checkDatabases(ctx: Context): Promise<Finding> {
  const folders = [...new Set([ctx.paths.config, ctx.paths.state, ctx.paths.cache, ctx.paths.data])];
  const files = (await Promise.all(folders.map(databasesBelow))).flat();
  const broken = files.flatMap((file) => {
    const problem = checkIntegrity(file);
    return problem === undefined ? [] : [`${file} (${problem})`];
  });
  if (broken.length > 0) {
    return fail(
      'databases',
      `damaged: ${broken.join('; ')}`,
      'move it away, with its -wal and -shm (mv FILE FILE.old); it is made anew, a mailbox by a full sync',
    );
  }
  if (files.length === 0) return ok('databases', 'there are none yet');
  return ok('databases', `${files.length} checked, all whole`);
}

async function databasesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  // A lock's database may be held by another process this moment, and is made anew when it is gone.
  return entries
    .filter(
      (entry) => entry.isFile() && /\.(?:db|sqlite)$/.test(entry.name) && !entry.name.endsWith('.lock.db'),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}
