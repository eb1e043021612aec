/** Why a database file cannot be used, with the code for scripts and the next step. */
const troubles = {
  damaged: {
    code: 'database_damaged',
    words: 'it is damaged, or no database',
    hint: (file: string) =>
      `move it away with what is beside it: for end in '' -wal -shm; do mv '${file}'$end '${file}.old'$end; done; it is made anew, without what it held`,
  },
  'read-only': {
    code: 'database_read_only',
    words: 'it or its folder cannot be written',
    hint: () => 'check the owner and the mode of both, and whether that disk takes changes',
  },
  full: {
    code: 'disk_full',
    words: 'the disk is full',
    hint: () => 'make room on that disk, and run it again; what the file holds is whole',
  },
  busy: {
    code: 'database_busy',
    words: 'another process has held it for too long',
    hint: () => 'run it again; if it lasts, a suspended ucctl may have it: resume or end that one',
  },
  unreachable: {
    code: 'database_unreachable',
    words: 'it cannot be opened or made',
    hint: () => 'it must be a file, in a folder that this user may read and write',
  },
  broken: {
    code: 'database_unreadable',
    words: 'the disk did not read or write it',
    hint: () =>
      'is the disk full? A little room beside the file is needed, also for reading; if not, check the disk',
  },
  newer: {
    code: 'database_newer',
    words: 'it was made by a newer ucctl',
    hint: () => 'use the newer ucctl, or move the file away',
  },
} as const;

export type DatabaseTrouble = keyof typeof troubles;

/** Results of SQLite, without their extensions, that tell of the file and not of a statement. */
const troubleOfResult: Readonly<Record<number, DatabaseTrouble>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'broken',
  11: 'damaged',
  13: 'full',
  14: 'unreachable',
  26: 'damaged',
};

/** The same by their words: on Node 20 reading says no more than these. */
const troubleOfWords: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  [/database (?:table )?is locked/, 'busy'],
  [/readonly database/, 'read-only'],
  [/disk I\/O error/, 'broken'],
  [/malformed|is not a database/, 'damaged'],
  [/database or disk is full/, 'full'],
  [/unable to open database/, 'unreachable'],
];

const troubleOfCode: Readonly<Record<string, DatabaseTrouble>> = {
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'broken',
};

/** A database file cannot be used. The message names it, in words for people; those of SQLite are in the cause. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError';
  readonly file: string;
  readonly trouble: DatabaseTrouble;
  readonly code: string;
  readonly hint: string;
  readonly retryable: boolean;
  /** Result code of SQLite, where it gave one. */
  readonly errcode: number | undefined;

  constructor(file: string, trouble: DatabaseTrouble, cause?: unknown, what = 'the database') {
    const { code, words, hint } = troubles[trouble];
    super(`${what} ${file} cannot be used: ${words}`, { cause });
    this.file = file;
    this.trouble = trouble;
    this.code = code;
    this.hint = hint(file);
    // A disk that did not read is a full one at times.
    this.retryable = trouble === 'busy' || trouble === 'full' || trouble === 'broken';
    this.errcode = resultOf(cause);
  }
}

/** What an error says of a database file; undefined for one that says nothing of it, such as a fault of a statement. */
export function troubleOf(error: unknown): DatabaseTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseError) return error.trouble;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return troubleOfCode[code] ?? 'unreachable';
  if (!code.startsWith('ERR_SQLITE')) return undefined;
  const result = resultOf(error);
  if (result !== undefined) return troubleOfResult[result & 0xff];
  return troubleOfWords.find(([words]) => words.test(error.message))?.[1];
}

/** Whether a database or its file did not do what it was asked, whatever the reason; false for a fault of ours. */
export function isOfDatabase(error: unknown): boolean {
  return troubleOf(error) !== undefined || isOfSqlite(error);
}

/** Whether SQLite said it, and nobody has named the file yet. */
export function isOfSqlite(error: unknown): boolean {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_SQLITE');
}

function resultOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

/** Does work with a database file; what fails for the file's sake names it. @throws {DatabaseError} */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw named(error, file);
  }
}

/** The error that names the file; one that is not about the file as it is. */
export function named(error: unknown, file: string): unknown {
  if (error instanceof DatabaseError) return error;
  const trouble = troubleOf(error);
  return trouble ? new DatabaseError(file, trouble, error) : error;
}
