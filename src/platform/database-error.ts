import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename } from 'node:path';
import { isFileSizeLimited } from './file-size-limit.ts';
import { lookupTable } from './lookup-table.ts';
import { shellQuoted } from './shell-quoted.ts';

/** The next step for the user when the file size limit of the process is reached. */
export const fileSizeHint =
  'raise the limit of the shell (ulimit -f unlimited) and run the command again; the content of the file is intact';

/** The next step for the user when the process cannot open another file. */
export const openFilesHint = 'raise the limit of the shell (ulimit -n) and run the command again';

/** The next step for a file that is not writable. */
const ownerCheck =
  'check the owner and mode of the file and its folder, and whether the disk is mounted read-only';

/** The next step for a file that is not writable, in a folder that the user may select. */
const ownerHint = `${ownerCheck}; to select another folder: ucctl help environment`;

/** The next step for a database or lock that is not writable. */
export function readOnlyHint(file: string): string {
  const other = stateFolderHint(file);
  return other === undefined ? ownerHint : `${ownerCheck}; or ${other}`;
}

/** What the user loses with a database, by the name of its file. */
const losses: Readonly<Record<string, string>> = lookupTable({
  'outcomes.db':
    'the dedupe keys and unknown outcomes in the file are lost, so check which messages were sent before you repeat a command; then ',
});

/** The journals, and the locks of runs. */
const stateFiles = /^(?:outcomes\.db|runs\.db|run-\w+\.lock)$/;

/** The next step for a file of the state folder, whose name users do not choose; undefined for other files. */
export function stateFolderHint(file: string): string | undefined {
  if (!stateFiles.test(basename(file))) return undefined;
  return 'set UCCTL_STATE_DIR to a folder that you can read and write; ucctl stores its journals there';
}

/** The next step for a file that cannot be opened or created. */
function folderHint(file: string): string {
  return stateFolderHint(file) ?? 'use a file in a folder that you can read and write';
}

/** The next step for a file whose content is lost. The database that ucctl then creates is empty. */
const replaceHint = (file: string): string =>
  `${losses[basename(file)] ?? ''}rename the file and its -wal and -shm files: for end in '' -wal -shm; do mv ${shellQuoted(file)}$end ${shellQuoted(`${file}.old`)}$end; done; ucctl then creates an empty database`;

/** Reasons why a database file cannot be used: error code, text and next step. */
const problems = {
  damaged: {
    code: 'database_damaged',
    words: 'the file is damaged or has another format',
    hint: replaceHint,
  },
  empty: {
    code: 'database_damaged',
    words: 'the file is empty, so its content is lost',
    hint: (file: string) => `restore the file from a backup, or ${replaceHint(file)}`,
  },
  'read-only': {
    code: 'database_read_only',
    words: 'the file or its folder is not writable',
    hint: readOnlyHint,
  },
  full: {
    code: 'disk_full',
    words: 'the disk is full',
    hint: () => 'free up space on the disk and run the command again; the content of the file is intact',
  },
  limited: {
    code: 'file_size_limit',
    words: 'the file size limit is reached (ulimit -f)',
    hint: () => fileSizeHint,
  },
  files: {
    code: 'too_many_files',
    words: 'this process has too many open files (ulimit -n)',
    hint: () => openFilesHint,
  },
  busy: {
    code: 'database_busy',
    words: 'another process has locked the file for too long',
    hint: () =>
      'run the command again; if the error persists, resume or terminate the suspended ucctl process',
  },
  unreachable: {
    code: 'database_unreachable',
    words: 'ucctl cannot open or create the file',
    hint: folderHint,
  },
  broken: {
    code: 'database_unreadable',
    words: 'the disk failed to read or write the file',
    hint: () =>
      'run the command again; if the error persists, check whether the disk is full or your quota is used up, because reading also needs some free space; otherwise check the disk for errors',
  },
  newer: {
    code: 'database_newer',
    words: 'a newer version of ucctl created the file',
    hint: () => 'use the newer version of ucctl, or rename the file',
  },
  'no-sqlite': {
    code: 'sqlite_missing',
    words:
      'this version of Node has no SQLite, and npm did not install the optional package @photostructure/sqlite',
    hint: () =>
      'use Node 22.13 or later, or install ucctl again with its optional packages: npm install --global --include=optional ucctl; in a project that uses ucctl as a library: npm install --include=optional',
  },
  'unusable-sqlite': {
    code: 'sqlite_missing',
    words: 'this version of Node has no SQLite, and the package @photostructure/sqlite cannot be loaded',
    hint: () => 'use Node 22.13 or later, which contains SQLite',
  },
} as const;

export type DatabaseProblem = keyof typeof problems;

/** Primary result codes of SQLite that concern the file, not a statement. */
const problemOfResult: Readonly<Record<number, DatabaseProblem>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'broken',
  11: 'damaged',
  13: 'full',
  14: 'unreachable',
  26: 'damaged',
};

/** The same problems by error message, because Node 20 reports no result code for reads. */
const problemOfMessage: readonly (readonly [RegExp, DatabaseProblem])[] = [
  [/database (?:table )?is locked/, 'busy'],
  [/readonly database/, 'read-only'],
  [/disk I\/O error/, 'broken'],
  [/malformed|is not a database/, 'damaged'],
  [/database or disk is full/, 'full'],
  [/unable to open database/, 'unreachable'],
];

const problemOfCode: Readonly<Record<string, DatabaseProblem>> = lookupTable({
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'limited',
  EIO: 'broken',
  EMFILE: 'files',
  ENFILE: 'files',
});

/**
 * The error for a database file that cannot be used. The message names the file and the reason; the cause is the error
 * of SQLite.
 */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError';
  readonly file: string;
  readonly problem: DatabaseProblem;
  readonly code: string;
  readonly hint: string;
  readonly retryable: boolean;
  /** Result code of SQLite; undefined if SQLite reported none. */
  readonly errcode: number | undefined;

  constructor(file: string, problem: DatabaseProblem, cause?: unknown, what = 'the database') {
    const { code, hint } = problems[problem];
    super(`cannot use ${what} ${file}: ${reasonOf(problem, cause)}`, { cause });
    this.file = file;
    this.problem = problem;
    this.code = code;
    this.hint = hint(file);
    // SQLite can report a full disk as a read error.
    this.retryable = problem === 'busy' || problem === 'full' || problem === 'broken';
    this.errcode = resultOf(cause);
  }
}

/** Returns the text of a problem. A native package can fail for many reasons, so the text contains the first line of its error. */
function reasonOf(problem: DatabaseProblem, cause: unknown): string {
  const { words } = problems[problem];
  if (problem !== 'unusable-sqlite' || !(cause instanceof Error)) return words;
  return `${words}: ${cause.message.split('\n', 1).join('')}`;
}

/**
 * Returns the problem with a database file that an error reports; undefined for other errors, such as an invalid
 * statement.
 */
export function databaseProblemOf(error: unknown): DatabaseProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseError) return error.problem;
  if (isOfSystem(error)) return problemOfCode[codeOf(error)] ?? 'unreachable';
  if (!isOfSqlite(error)) return undefined;
  const result = resultOf(error);
  if (result !== undefined) return problemOfResult[result & 0xff];
  return problemOfMessage.find(([words]) => words.test(error.message))?.[1];
}

/**
 * Like `databaseProblemOf` for a known file. SQLite reports a write beyond the file size limit of the process as a
 * failing or full disk, and does not report why it cannot open a file.
 */
export function databaseProblemAt(
  file: string,
  error: unknown,
  isOutOfFiles = cannotOpenFiles,
): DatabaseProblem | undefined {
  const problem = databaseProblemOf(error);
  if (problem === 'unreachable' && isOutOfFiles()) return 'files';
  const isWriteError = problem === 'broken' || problem === 'full';
  return isWriteError && isFileSizeLimited([file, `${file}-wal`, `${file}-shm`]) ? 'limited' : problem;
}

/** Number of files that SQLite opens for one database at most: database, journals, shared memory, folder, random numbers. */
const filesOfDatabase = 6;

/** Whether this process cannot open all files of another database. */
function cannotOpenFiles(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < filesOfDatabase) opened.push(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return ['EMFILE', 'ENFILE'].includes(codeOf(error as Error));
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** Whether an error comes from SQLite or a database file; false for a bug of ucctl. */
export function isOfDatabase(error: unknown): boolean {
  return databaseProblemOf(error) !== undefined || isOfSqlite(error);
}

/** Whether an error comes directly from SQLite, so that its message does not name the file. */
export function isOfSqlite(error: unknown): boolean {
  return error instanceof Error && codeOf(error).startsWith('ERR_SQLITE');
}

function isOfSystem(error: Error): boolean {
  return 'syscall' in error && error.syscall !== undefined;
}

/**
 * Returns the code of an error of Node or SQLite. A DOMException, for example after an abort signal, has a number
 * instead.
 */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function resultOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

/**
 * Runs `work` on a database file. An error that concerns the file becomes a DatabaseError that names the file.
 * @throws {DatabaseError}
 */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw named(error, file);
  }
}

/** Converts an error that concerns the file to a DatabaseError that names it. Returns any other error unchanged. */
export function named(error: unknown, file: string): unknown {
  if (error instanceof DatabaseError) return error;
  const problem = databaseProblemAt(file, error);
  return problem ? new DatabaseError(file, problem, error) : error;
}
