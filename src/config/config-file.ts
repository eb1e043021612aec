import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { locateJsonError } from '../platform/json-position.ts';
import { isJsonObject } from '../platform/json.ts';
import { requireOwn } from '../platform/ownership.ts';
import { CommandError, Exit } from '../errors/command.ts';
import type { Paths } from '../runtime/context.ts';

/** A profile as the file has it: members that this version does not know stay in it. */
export type StoredProfile = Readonly<Record<string, unknown>>;

/** The config file. It never holds a secret. */
export interface ConfigFile {
  /** Where it is, or would be. */
  readonly file: string;
  /** The profile in use when none is named. */
  readonly current: string | undefined;
  readonly profiles: Readonly<Record<string, StoredProfile>>;
  /** The whole document, with the members that this version does not know. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The config folder, where its file system has no owners: nothing in it can be protected from other users. */
  readonly ownerlessFolder?: string | undefined;
}

/** Where the config file of these directories is. */
export function configFilePath(paths: Paths): string {
  return join(paths.config, 'config.json');
}

/**
 * Reads the config file; a missing one is an empty one.
 * @throws {CommandError} `config_broken` (exit 12) naming file, line and column and the way out.
 * @throws {UnsafePathError} other users can change the file or its folder.
 */
export async function readConfigFile(paths: Paths): Promise<ConfigFile> {
  const file = configFilePath(paths);
  // People keep either as a link into a collection of settings.
  const folder = requireOwn(paths.config, { follow: true });
  requireOwn(file, { follow: true });
  const text = readIfThere(file);
  const config = readDocument(file, text === undefined ? { version: 1, profiles: {} } : parse(file, text));
  return folder === 'ownerless' ? { ...config, ownerlessFolder: paths.config } : config;
}

/** What `updateConfigFile` replaces; what is absent stays. */
export interface ConfigChange {
  readonly current?: string | undefined;
  /** Profiles to put in place of those of the same name; undefined removes one. */
  readonly profiles?: Readonly<Record<string, StoredProfile | undefined>>;
}

/**
 * Changes the config file: read and written under a lock between processes, replaced as a whole, mode 0600 in a folder of mode 0700.
 * @throws {CommandError} `config_broken` (exit 12); the broken file is left as it is.
 */
export async function updateConfigFile(
  paths: Paths,
  change: (config: ConfigFile) => ConfigChange,
): Promise<ConfigFile> {
  // Loaded here: commands that only read settings would pay for it at every start.
  const { LockFileError, LockTimeoutError, withProcessLock } = await import('../platform/process-lock.ts');
  try {
    return await withProcessLock(join(paths.config, 'config.lock.db'), {}, () => replace(paths, change));
  } catch (error) {
    // A damaged lock says itself how it goes.
    if (error instanceof LockFileError && error.trouble !== 'damaged') {
      throw unwritable(configFilePath(paths), error);
    }
    if (!(error instanceof LockTimeoutError)) throw error;
    const who = error.holder ? ` (pid ${error.holder.pid}, since ${error.holder.since})` : '';
    throw new CommandError('config_busy', Exit.local, `another ucctl${who} is changing the config file`, {
      retryable: true,
      cause: error,
    });
  }
}

async function replace(paths: Paths, change: (config: ConfigFile) => ConfigChange): Promise<ConfigFile> {
  const before = await readConfigFile(paths);
  const { current = before.current, profiles = {} } = change(before);
  const merged = Object.entries({ ...before.profiles, ...profiles }).filter(
    ([, value]) => value !== undefined,
  );
  const { current: _replaced, ...others } = before.document;
  const document = {
    ...others,
    version: 1,
    ...(current !== undefined && { current }),
    profiles: Object.fromEntries(merged),
  };
  const { writeFileAtomic } = await import('../platform/atomic-file.ts');
  await writeFileAtomic(linkedFile(before.file), `${JSON.stringify(document, undefined, 2)}\n`).catch(
    (error: Error) => {
      throw unwritable(before.file, error);
    },
  );
  return readDocument(before.file, document);
}

/** What a symbolic link leads to, also before it is there: the link itself is not to be replaced. */
function linkedFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    try {
      return resolve(dirname(file), readlinkSync(file));
    } catch {
      return file;
    }
  }
}

function unwritable(file: string, cause: Error): CommandError {
  return new CommandError('config_unwritable', Exit.local, `the config file ${file} cannot be written`, {
    hint: 'check the free space, and owner and mode of its folder, or choose another folder with UCCTL_CONFIG_DIR',
    details: [cause.message],
    cause,
  });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError('config_unreadable', Exit.local, `the config file ${file} cannot be read`, {
      hint: 'check its owner and mode, or choose another folder with UCCTL_CONFIG_DIR',
      details: [(error as Error).message],
      cause: error,
    });
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = locateJsonError(text);
    throw broken(place ? `${file}:${place.line}:${place.column}` : file, 'is not valid JSON', file, error);
  }
}

function readDocument(file: string, document: unknown): ConfigFile {
  if (!isJsonObject(document)) throw broken(file, 'must be a JSON object', file);
  const { version, current, profiles = {} } = document;
  if (version !== 1) {
    throw broken(file, `has version ${JSON.stringify(version)}; this ucctl reads version 1`, file);
  }
  if (current !== undefined && typeof current !== 'string')
    throw broken(file, '"current" must be a string', file);
  if (!isJsonObject(profiles)) throw broken(file, '"profiles" must be an object', file);
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isJsonObject(profile)) throw broken(file, `profile "${name}" must be an object`, file);
  }
  return { file, current, profiles: profiles as Record<string, StoredProfile>, document };
}

/** A config file that cannot be used as it is (exit 12). `place` is the file, with line and column where they are known. */
export function broken(place: string, what: string, file: string, cause?: unknown): CommandError {
  return new CommandError('config_broken', Exit.local, `the config file ${place}: ${what}`, {
    hint: `mend it in an editor, or move it away (mv '${file}' '${file}.old') and sign in again; it holds no secrets`,
    cause,
  });
}
