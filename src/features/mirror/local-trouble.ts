import { statSync } from 'node:fs';
import { DatabaseError, isOfSqlite } from '../../platform/database-error.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { ForeignMirrorError, isSchemaDamaged } from './mirror.ts';
import { isFull, NoRoomError } from './no-room.ts';
import { BrokenReplyError } from './record-splitter.ts';
import { OtherMailboxError } from './sync.ts';
import { OtherSelectionError } from './export/state.ts';

/** What went wrong with the copy, and that it is as it was; other errors as they are. */
export function localTrouble(error: unknown, file: string): unknown {
  if (error instanceof NoRoomError) {
    return new CommandError('disk_full', Exit.local, `there is no room for the new messages in ${file}`, {
      hint: `it needs about ${megabytes(error.neededBytes)} MB of free room: make it, and run it again; the copy is as it was before`,
      retryable: true,
      cause: error,
    });
  }
  if (isFull(error)) {
    return new CommandError('disk_full', Exit.local, `there is no room to work on ${file}`, {
      hint: `make about ${megabytes(sizeOf(file))} MB of room, as much as the copy has, and run it again; the copy is whole`,
      retryable: true,
      cause: error,
    });
  }
  if (error instanceof ForeignMirrorError) {
    return new CommandError('foreign_database', Exit.local, error.message, {
      hint: 'name another file with --database',
      cause: error,
    });
  }
  if (error instanceof BrokenReplyError) {
    return new CommandError('reply_cut_off', Exit.network, error.message, {
      hint: 'run it again; the copy is as it was before',
      retryable: true,
      cause: error,
    });
  }
  if (error instanceof OtherMailboxError) {
    return new CommandError('other_mailbox', Exit.conflict, error.message, {
      hint: 'sign in as that user, or keep a copy for each user: -p PROFILE or --database FILE',
      cause: error,
    });
  }
  if (error instanceof OtherSelectionError) {
    return new CommandError('other_selection', Exit.conflict, error.message, {
      hint: 'write it anew with --fresh, or to another place',
      cause: error,
    });
  }
  // A statement of ours that fails like one with a typing error, such as "no such column", was right when the file was.
  if (isOfSqlite(error) && isSchemaDamaged(file)) return new DatabaseError(file, 'damaged', error);
  return error;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1_000_000));
}
