import { fileTrouble } from '../../platform/file-trouble.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import {
  ConnectionError,
  isRefusedWith,
  RateLimitError,
  SignInRequiredError,
  UntrustedHostError,
} from '../../errors/service.ts';

/** The content changed while it was read, or the server answers another range than asked: what is there cannot be carried on. */
export class Restart extends Error {
  override readonly name = 'Restart';

  /** `cause`: the broken connection after which nothing could be continued. */
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
  }
}

/** The connection ended before the content did. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}

/** The answer is not what was asked for (`bad_reply`, exit 1). */
export function badReply(what: string): CommandError {
  return new CommandError('bad_reply', Exit.failed, `the content address answered ${what}`, {
    hint: 'try again later; nothing was kept of it',
    retryable: true,
  });
}

/** A page came instead of a file (`not_media`, exit 1). */
export function notMedia(type: string): CommandError {
  return new CommandError('not_media', Exit.failed, `a page (${type}) came in place of the file`, {
    hint: nextStep`it is likely a sign-in page or an error: ${ucctl('status')}; nothing was kept of it`,
  });
}

/** A file of the name is there already (`exists`, exit 11). */
export function existsError(file: string): CommandError {
  return new CommandError('exists', Exit.conflict, `${file} exists`, {
    hint: '--skip-existing leaves it, --clobber replaces it, --continue leaves it and carries on what is unfinished',
  });
}

/** What stands under the name is no plain file (`not_a_file`, exit 12). */
export function notAFile(file: string, what: string): CommandError {
  return new CommandError('not_a_file', Exit.local, `${file} is ${what}; it is not written to`, {
    hint: 'remove it, or choose another folder with --dir',
  });
}

const folderTroubles: Readonly<Record<string, string>> = {
  ENOENT: 'the system allows no new folder there',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
};

/** A folder that cannot be created (`no_folder`, exit 12). */
export function noFolder(folder: string, cause: unknown): CommandError {
  const { code } = cause as NodeJS.ErrnoException;
  const why = folderTroubles[code ?? ''] ?? fileTrouble(cause);
  return new CommandError('no_folder', Exit.local, `the folder ${folder} cannot be created: ${why}`, {
    hint: 'choose another folder with --dir',
    cause,
  });
}

/** A failure to write, in words; anything else as it is. */
export function writeFailure(
  error: unknown,
  file: string,
  missing: number | undefined,
  isKept = true,
): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === 'ELOOP') return notAFile(file, 'a symbolic link');
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const need = missing === undefined ? '' : `: ${missing} more bytes are needed`;
    return new CommandError('disk_full', Exit.local, `the disk is full while ${file} is written${need}`, {
      hint: `${isKept ? 'what came is kept' : 'nothing of it is kept'}; make room, then run it again with --continue`,
      cause: error,
    });
  }
  return error;
}

/** Whether the same request may go better: the connection broke, or the content ended early. */
export function isBroken(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof CutShort;
}

/**
 * Whether every other file of the run would fail in the same way, so that asking for them only wastes the rate limit: the disk is full, the
 * sign-in is over, or the service wants a longer wait than is allowed.
 */
export function endsRun(error: unknown): boolean {
  if (error instanceof SignInRequiredError || error instanceof RateLimitError) return true;
  if (isRefusedWith(error, 401)) return true;
  return error instanceof CommandError && error.code === 'disk_full';
}

/** The host that wants a token and gets none: all its files fail alike. */
export function untrustedHost(error: unknown): string | undefined {
  return error instanceof UntrustedHostError ? error.host : undefined;
}
