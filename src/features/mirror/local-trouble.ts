import { CommandError, Exit } from '../../runtime/errors.ts';
import { ForeignMirrorError } from './mirror.ts';
import { isFull, NoRoomError } from './no-room.ts';
import { BrokenReplyError } from './record-splitter.ts';
import { OtherMailboxError } from './sync.ts';

/** What went wrong with the copy, and that it is as it was; other errors as they are. */
export function localTrouble(error: unknown, file: string): unknown {
  if (error instanceof NoRoomError) {
    return new CommandError('disk_full', Exit.local, `there is no room for the new messages in ${file}`, {
      hint: `free about ${megabytes(error.neededBytes)} MB and run it again; the copy is as it was before`,
      retryable: true,
      cause: error,
    });
  }
  if (isFull(error)) {
    return new CommandError('disk_full', Exit.local, `there is no room for more in ${file}`, {
      hint: 'make room and run it again; what was copied before is whole',
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
  return error;
}

function megabytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1_000_000));
}
