import { DatabaseError, isOfSqlite } from '../../platform/database-error.ts';
import { CommandError, DiskFullError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { ForeignMirrorError, isSchemaDamaged } from './mirror.ts';
import { isFull, NoRoomError } from './no-room.ts';
import { BrokenReplyError } from './record-splitter.ts';
import { OvertakenError } from './overtaken.ts';
import { LegalHoldError } from './legal-hold-error.ts';
import { OtherAccountError } from './other-account.ts';
import { OtherMailboxError } from './other-mailbox.ts';
import { ExportRunningError, OtherSelectionError } from './export/state.ts';

/** Converts a failure of the local copy to a command error with a next step. Returns any other error unchanged. */
export function copyFailure(error: unknown, file: string): unknown {
  if (error instanceof NoRoomError) {
    return new DiskFullError(`cannot store the new messages in ${file}: the disk is full`, {
      hint: `free up about ${megabytes(error.neededBytes)} MB and run the same command again; the local mailbox copy is unchanged`,
      retryable: true,
      cause: error,
    });
  }
  if (isFull(error)) {
    return new DiskFullError(`cannot write to ${file}: the disk is full`, {
      // The file does not show how much is missing: SQLite has removed the part that did not fit.
      hint: 'free up disk space and run the same command again; the local mailbox copy is intact',
      retryable: true,
      cause: error,
    });
  }
  if (error instanceof ForeignMirrorError) {
    return new CommandError('foreign_database', Exit.local, error.message, {
      hint: 'choose another file with --database',
      cause: error,
    });
  }
  return commonFailure(error, '-p PROFILE or --database FILE') ?? damageOf(error, file);
}

/** Converts a failure of the archive in the PostgreSQL store to a command error. Returns any other error unchanged. */
export function storeFailure(error: unknown): unknown {
  return commonFailure(error, 'add ?schema=NAME to the store address') ?? error;
}

/** @param other the next step for using another archive. */
function commonFailure(error: unknown, other: string): CommandError | undefined {
  if (error instanceof BrokenReplyError) {
    return new CommandError('reply_cut_off', Exit.network, error.message, {
      hint: 'run the same command again; the local mailbox copy is unchanged',
      retryable: true,
      cause: error,
    });
  }
  if (error instanceof OvertakenError) {
    return new CommandError('sync_overtaken', Exit.conflict, error.message, {
      hint: 'run the same command again; nothing is lost',
      retryable: true,
      cause: error,
    });
  }
  if (error instanceof OtherMailboxError) {
    return new CommandError('other_mailbox', Exit.conflict, error.message, {
      hint: `sign in as the user of the local mailbox copy, or use a separate copy for each user: ${other}`,
      cause: error,
    });
  }
  if (error instanceof LegalHoldError) {
    return new CommandError('legal_hold', Exit.blocked, error.message, {
      hint: nextStep`nothing was deleted; to show the legal holds: ${ucctl('store hold')}`,
      cause: error,
    });
  }
  if (error instanceof OtherAccountError) {
    return new CommandError('other_account', Exit.conflict, error.message, {
      hint: `sign in to the account of this archive, or use a separate archive for each account: ${other}`,
      cause: error,
    });
  }
  if (error instanceof ExportRunningError) {
    return new CommandError('already_running', Exit.conflict, error.message, {
      hint: 'retry when that export has finished',
      retryable: true,
      cause: error,
    });
  }
  if (error instanceof OtherSelectionError) {
    return new CommandError('other_selection', Exit.conflict, error.message, {
      hint: 'rewrite the file with --fresh, or choose another target',
      cause: error,
    });
  }
  return undefined;
}

function damageOf(error: unknown, file: string): unknown {
  // The SQL statements of ucctl are valid for an intact file, so an SQL error such as "no such column"
  // means that the
  // file is damaged.
  if (isOfSqlite(error) && isSchemaDamaged(file)) return new DatabaseError(file, 'damaged', error);
  return error;
}

function megabytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1_000_000));
}
