import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileFailureHint, fileFailureReason } from '../platform/file-failure.ts';
import { locateJsonError } from '../platform/json-position.ts';
import { isJsonObject } from '../platform/json.ts';
import { requireOwn } from '../platform/ownership.ts';
import { holderText, resumeHint } from '../platform/lock-holder.ts';
import { shellQuoted } from '../platform/shell-quoted.ts';
import { CommandError, Exit } from '../errors/command.ts';
import type { Paths } from '../runtime/context.ts';
import { requireDistinctName } from './profile-name.ts';
import { entryAt } from '../platform/entry-at.ts';

/** A profile of the config file, including members that this version does not know. */
export type StoredProfile = Readonly<Record<string, unknown>>;

/** The config file. It never contains a secret. */
export interface ConfigFile {
  /** The path of the file, even if the file does not exist. */
  readonly file: string;
  /** The profile that is used by default. */
  readonly current: string | undefined;
  readonly profiles: Readonly<Record<string, StoredProfile>>;
  /** The whole document, including members that this version does not know. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The config folder, if its file system has no owners, so that its files cannot be protected from other users. */
  readonly ownerlessFolder?: string | undefined;
}

/** Returns the path of the config file. */
export function configFilePath(paths: Paths): string {
  return join(paths.config, 'config.json');
}

/**
 * Reads the config file; a missing file counts as empty.
 * @throws {CommandError} `config_broken` (exit 12) with file, line, column and a hint.
 * @throws {UnsafePathError} other users can change the file or its folder.
 */
export async function readConfigFile(paths: Paths): Promise<ConfigFile> {
  const file = configFilePath(paths);
  const variable = 'UCCTL_CONFIG_DIR';
  const folder = requireOwn(paths.config, { variable });
  requireOwn(file, { variable });
  // Every command reads the config file, so a linked state folder is found before the first journal is opened.
  requireOwn(paths.state, { variable: 'UCCTL_STATE_DIR' });
  const text = readIfThere(file);
  const config = readDocument(file, text === undefined ? { version: 1, profiles: {} } : parse(file, text));
  return folder === 'ownerless' ? { ...config, ownerlessFolder: paths.config } : config;
}

/** Members that replace members of the config file. Other members are not changed. */
export interface ConfigChange {
  /** Undefined removes the selection, so that the profile `default` is used. */
  readonly current?: string | undefined;
  /** Profiles by name. A profile replaces the stored profile of the same name; undefined removes it. */
  readonly profiles?: Readonly<Record<string, StoredProfile | undefined>>;
}

/**
 * Changes the config file under a lock between processes. The file is replaced atomically, with mode 0600 in a folder of mode 0700.
 * @throws {CommandError} `config_broken` (exit 12) without changing the file.
 */
export async function updateConfigFile(
  paths: Paths,
  change: (config: ConfigFile) => ConfigChange | Promise<ConfigChange>,
): Promise<ConfigFile> {
  // The lock module is loaded on demand, because most commands only read settings.
  const { LockFileError, LockTimeoutError, withProcessLock } = await import('../platform/process-lock.ts');
  try {
    return await withProcessLock(join(paths.config, 'config.lock.db'), {}, () => replace(paths, change));
  } catch (error) {
    // The error of a damaged lock is thrown unchanged, because it has its own hint.
    if (error instanceof LockFileError && error.problem !== 'damaged') {
      throw unwritable(configFilePath(paths), error, error.problem === 'limited');
    }
    if (!(error instanceof LockTimeoutError)) throw error;
    throw new CommandError(
      'config_busy',
      Exit.local,
      `another ucctl command${holderText(error.holder)} is changing the config file`,
      {
        hint:
          resumeHint(error.holder) ??
          'run the command again; if the other process is suspended, resume or terminate it',
        retryable: true,
        cause: error,
      },
    );
  }
}

/**
 * Stores values in a profile. If the profile does not exist, creates the profile and, if there is no current profile, makes
 * it the current one.
 * @throws {CommandError} as `updateConfigFile`.
 */
export async function storeInProfile(paths: Paths, name: string, values: StoredProfile): Promise<void> {
  await updateConfigFile(paths, ({ current, profiles }) => {
    const former = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    return {
      current: current ?? (former ? undefined : name),
      profiles: { [name]: { ...former, ...values } },
    };
  });
}

async function replace(paths: Paths, change: Parameters<typeof updateConfigFile>[1]): Promise<ConfigFile> {
  const before = await readConfigFile(paths);
  const { current, profiles = {} } = { current: before.current, ...(await change(before)) };
  for (const [name, value] of Object.entries(profiles))
    if (value !== undefined) requireDistinctName(before.profiles, name);
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
  await writeFileAtomic(before.file, `${JSON.stringify(document, undefined, 2)}\n`).catch(
    (error: NodeJS.ErrnoException) => {
      throw unwritable(before.file, error, error.code === 'EFBIG');
    },
  );
  return readDocument(before.file, document);
}

/** `isSizeLimited`: the process reached its file size limit. */
function unwritable(file: string, cause: Error, isSizeLimited: boolean): CommandError {
  return new CommandError('config_unwritable', Exit.local, `cannot write the config file ${file}`, {
    hint: isSizeLimited
      ? 'raise the limit of the shell (ulimit -f unlimited) and run the command again'
      : 'check the free disk space and the owner and permissions of the folder, or choose another folder with UCCTL_CONFIG_DIR',
    details: [fileFailureReason(cause)],
    cause,
  });
}

function readIfThere(file: string): string | undefined {
  try {
    const entry = entryAt(file);
    // Opening a named pipe would wait for its other end.
    if (entry && !entry.isFile()) throw new Error('the path is not a regular file');
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError('config_unreadable', Exit.local, `cannot read the config file ${file}`, {
      hint:
        fileFailureHint(error) ??
        'check the owner and permissions of the file, or choose another folder with UCCTL_CONFIG_DIR',
      details: [fileFailureReason(error)],
      cause: error,
    });
  }
}

function parse(file: string, text: string): unknown {
  try {
    // Editors on Windows write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const place = locateJsonError(text);
    throw broken(
      place ? `${file}:${place.line}:${place.column}` : file,
      'the content is not valid JSON',
      file,
      error,
    );
  }
}

function readDocument(file: string, document: unknown): ConfigFile {
  if (!isJsonObject(document)) throw broken(file, 'the content must be a JSON object', file);
  const { version, current, profiles = {} } = document;
  if (version !== 1) {
    const what = `version ${JSON.stringify(version)} is not supported; this version of ucctl reads only version 1`;
    const isNewer = typeof version === 'number' && version > 1;
    throw isNewer ? newer(file, what) : broken(file, what, file);
  }
  if (current !== undefined && typeof current !== 'string')
    throw broken(file, '"current" must be a string', file);
  if (!isJsonObject(profiles)) throw broken(file, '"profiles" must be an object', file);
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isJsonObject(profile)) throw broken(file, `profile "${name}" must be an object`, file);
  }
  return { file, current, profiles: profiles as Record<string, StoredProfile>, document };
}

/** Returns the error for a config file of a newer version (exit 12), which the user must not edit or rename. */
function newer(file: string, what: string): CommandError {
  return new CommandError('config_broken', Exit.local, `cannot use the config file: ${file}: ${what}`, {
    hint: 'use the newer version of ucctl, or choose another folder with UCCTL_CONFIG_DIR',
  });
}

/** Returns the error for an invalid config file (exit 12). `place` is the file, with line and column if known. */
function broken(place: string, what: string, file: string, cause?: unknown): CommandError {
  return new CommandError('config_broken', Exit.local, `the config file is not valid: ${place}: ${what}`, {
    hint: `fix the file in an editor, or rename it (mv ${shellQuoted(file)} ${shellQuoted(`${file}.old`)}) and sign in again; the file contains no secrets`,
    cause,
  });
}
