import { fileFailureReason } from '../../platform/file-failure.ts';
import { CommandError, DiskFullError, Exit, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import {
  ConnectionError,
  isRejectedWith,
  RateLimitError,
  SignInRequiredError,
  UntrustedHostError,
} from '../../errors/service.ts';
import { isSafeAddress, unsafeContentProblem } from '../../platform/base-url.ts';
import { lookupTable } from '../../platform/lookup-table.ts';
import { maskUserInfo } from '../../platform/user-info.ts';

/**
 * Thrown when the download must restart, because the content changed or the server sent a different range than
 * requested.
 */
export class Restart extends Error {
  override readonly name = 'Restart';

  /** The reason why the missing part cannot be requested; undefined if the content has changed. */
  readonly why: 'noValidator' | 'noRanges' | undefined;

  /** @param cause the lost connection that could not be resumed */
  constructor(message: string, why?: 'noValidator' | 'noRanges', cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.why = why;
  }
}

/** Thrown when the connection closed before the content was complete. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}

/** Returns the error for a reply that is not the requested content (`bad_reply`, exit 1). */
export function badReply(what: string): CommandError {
  return new CommandError('bad_reply', Exit.failed, `the server replied ${what}`, {
    hint: 'retry later; no partial file was stored',
    retryable: true,
  });
}

/** Returns the error for an address that the service sent, and that can never be requested (`bad_reply`, exit 1). */
function badAddress(problem: string): CommandError {
  return new CommandError('bad_reply', Exit.failed, `the server replied with ${problem}`, {
    hint: 'report the address to the operator of the service, because the service sent this address; a retry cannot succeed',
  });
}

/** Returns the error for a content whose size is not the size of its metadata (MESSAGE-10). */
export function otherSize(bytes: number, expected: number): CommandError {
  const message = `the server replied with ${bytes} bytes instead of ${expected} bytes`;
  return new CommandError('bad_reply', Exit.failed, message, {
    hint: nextStep`retry later; to save the content without this check: ${ucctl('download --uri URI')}`,
    retryable: true,
  });
}

/**
 * Returns the warning for a content that is shorter than its metadata states. A proxy that truncates a reply also sets its
 * length, or ends its last chunk. No published fact says that the stated size is exact, so the content is accepted.
 */
export function shorterWarning(bytes: number, stated: number): string {
  return `the content has ${bytes} bytes, but the service stated ${stated} bytes; compare a second download`;
}

/** The warning for an empty content whose metadata states no size. */
export const emptyWarning = 'the content is empty; compare a second download';

/**
 * Checks the address of a content.
 * @param isFromUser whether the user specified it, not the service
 * @throws {CommandError} `bad_reply` (exit 1); `usage` (exit 2) for an address from the user.
 */
export function requireAddress(uri: string, isFromUser = false): void {
  if (uri.trim() === '') throw badReply('without the address of the content');
  // A path belongs to the service. `//HOST` has the protocol of the service, which can be http on this machine.
  const base = 'http://127.0.0.1';
  const url = URL.canParse(uri, base) ? new URL(uri, base) : undefined;
  if (url && isSafeAddress(url.href) && /^https?:$/.test(url.protocol)) return;
  if (url?.protocol === 'http:') {
    const problem = unsafeContentProblem(url);
    throw isFromUser ? usageError(problem) : badAddress(`an unsafe address of the content: ${problem}`);
  }
  if (!isFromUser) throw badAddress(`an invalid address of the content: ${maskUserInfo(uri)}`);
  throw usageError(
    `"${maskUserInfo(uri)}" is not a valid address`,
    'specify a content URI of the service: a path, or an address that begins with https://',
  );
}

/** Returns the error for a page in place of a file (`not_media`, exit 1). */
export function notMedia(type: string): CommandError {
  return new CommandError('not_media', Exit.failed, `the server sent a page (${type}) instead of the file`, {
    hint: nextStep`no partial file was stored; the page is probably a sign-in page or an error message: check ${ucctl('status')}`,
  });
}

/** Returns the error for a file name that already exists (`exists`, exit 11). */
export function existsError(file: string): CommandError {
  return new CommandError('exists', Exit.conflict, `${file} already exists`, {
    hint: 'use --skip-existing to skip the file, --clobber to overwrite it, or --continue to skip complete files and resume partial files',
  });
}

/** Returns the error for a partial file that another program has replaced or deleted (`busy`, exit 11). */
export function partReplaced(file: string): CommandError {
  const message = `another program has replaced or deleted the partial file of ${file}`;
  return new CommandError('busy', Exit.conflict, message, {
    hint: 'wait until other downloads into this folder have finished, then run the same command again',
    retryable: true,
  });
}

/** Returns the error for a target that is not a regular file (`not_a_file`, exit 12). */
export function notAFile(file: string, what: string): CommandError {
  return new CommandError('not_a_file', Exit.local, `cannot overwrite ${file}: it is ${what}`, {
    hint: 'delete the existing item, or choose another folder with --dir',
  });
}

const folderFailures: Readonly<Record<string, string>> = lookupTable({
  ENOENT: 'the operating system does not allow new folders at this path',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
});

/** Returns the error for a folder that cannot be created (`no_folder`, exit 12). */
export function noFolder(folder: string, cause: unknown): CommandError {
  const { code } = cause as NodeJS.ErrnoException;
  const why = folderFailures[code ?? ''] ?? fileFailureReason(cause);
  return new CommandError('no_folder', Exit.local, `cannot create the folder ${folder}: ${why}`, {
    hint: 'choose another folder with --dir',
    cause,
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** Whether the disk, or the quota of the user, has no room for a write. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

/** Converts a write failure to a command error. Returns any other error unchanged. */
export function writeFailure(
  error: unknown,
  file: string,
  missing: number | undefined,
  isStored = true,
): unknown {
  const code = codeOf(error);
  if (code === 'ELOOP') return notAFile(file, 'a symbolic link');
  if (isDiskFull(error)) {
    const need = missing === undefined ? '' : ` (${missing} more bytes needed)`;
    return new DiskFullError(`cannot write ${file}: ${fileFailureReason(error)}${need}`, {
      hint: `free up disk space, then run the same command with --continue; ${isStored ? 'the partial file is stored' : 'no partial file was stored'}`,
      cause: error,
    });
  }
  if (code === 'EFBIG') {
    const message = `cannot write ${file}: ${fileFailureReason(error)}`;
    return new CommandError('file_size_limit', Exit.local, message, {
      hint: 'raise the limit of the shell (ulimit -f unlimited), then run the same command with --continue',
      cause: error,
    });
  }
  return error;
}

/** Whether a retry may succeed, because the connection was lost or the content ended early. */
export function isBroken(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof CutShort;
}

/**
 * Whether every other file of the run would fail in the same way, so that further requests would only waste the rate
 * limit. The reasons are a full disk, an expired sign-in, and a longer wait than allowed.
 */
export function endsRun(error: unknown): boolean {
  if (error instanceof SignInRequiredError || error instanceof RateLimitError) return true;
  if (isRejectedWith(error, 401)) return true;
  return error instanceof DiskFullError;
}

/**
 * Whether the lookup of every other item would fail in the same way. A lost reply is the failure of one item, because a
 * server can close the connection for one ID only.
 */
export function endsLookups(error: unknown): boolean {
  return endsRun(error) || (error instanceof ConnectionError && error.reached === 'no');
}

/**
 * Returns the error of an untrusted host that requires a token, for which all files fail; undefined for other errors.
 */
export function untrustedHost(error: unknown): UntrustedHostError | undefined {
  return error instanceof UntrustedHostError ? error : undefined;
}

/** Next steps after a lost connection: resume the partial file, or start again for one of three reasons. */
export type AfterCut = 'stored' | 'empty' | 'noValidator' | 'noRanges';

const hintsAfterCut: Readonly<Record<AfterCut, string>> = {
  stored: 'the partial file is stored; run the same command with --continue to resume',
  empty: 'run the same command again; no bytes were received',
  noValidator:
    'run the same command again; no partial file was stored, because the service sends no strong validator (ETag)',
  noRanges:
    'run the same command again; no partial file was stored, because the service cannot resume downloads',
};

/** Returns the error for a lost connection. `attempts` is the number of successive lost connections. */
export function cutError(error: unknown, file: string, after: AfterCut, attempts: number): CommandError {
  const repeatedly = attempts > 1 ? ' repeatedly' : '';
  const message =
    error instanceof CutShort || error instanceof Restart
      ? `the download of ${file} failed${repeatedly}: ${error.message}`
      : `the connection was lost${repeatedly} during the download of ${file}`;
  return new CommandError('cut', Exit.network, message, {
    hint: hintsAfterCut[after],
    retryable: true,
    cause: error,
  });
}
