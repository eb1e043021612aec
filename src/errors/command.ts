import type { Hint } from './hint.ts';

/**
 * Exit codes of the tool, one meaning each, documented in `ucctl help exit-codes`.
 * 130 and 143 follow from signals and have no name here.
 */
export const Exit = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  signIn: 4,
  permission: 5,
  rateLimited: 6,
  network: 7,
  partial: 8,
  refused: 9,
  changesPresent: 10,
  conflict: 11,
  local: 12,
  stateNotReached: 13,
  outcomeUnknown: 14,
  bug: 70,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** What a `CommandError` says beside its message. */
export interface CommandErrorDetails {
  /** What the user does next: a command, or a text with commands in it. */
  readonly hint?: Hint | undefined;
  /** What was needed and missing, e.g. `permission ReadCompanyCallLog`. */
  readonly need?: string | undefined;
  /** Further lines, such as the candidates of an ambiguous name or every bad CSV row. */
  readonly details?: readonly string[] | undefined;
  /** Whether the same command may succeed later without a change. */
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * An expected failure of a command: what failed, in words, with a stable `code` for scripts, the exit code and
 * the next step. Anything else that reaches the top is a bug of ours and ends with exit 70.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;
  readonly exit: ExitCode;
  readonly hint: Hint | undefined;
  readonly need: string | undefined;
  readonly details: readonly string[];
  readonly retryable: boolean;

  constructor(code: string, exit: ExitCode, message: string, more: CommandErrorDetails = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.exit = exit;
    this.hint = more.hint;
    this.need = more.need;
    this.details = more.details ?? [];
    this.retryable = more.retryable ?? false;
  }
}

/** A `--dedupe-key` that was used already (exit 11). */
export class KeyUsedError extends CommandError {
  /** Whether it is known that what went out under the key was taken by the service. */
  readonly wasSent: boolean;

  constructor(message: string, wasSent: boolean, more: CommandErrorDetails = {}) {
    super('duplicate', Exit.conflict, message, more);
    this.wasSent = wasSent;
  }
}

/** Bad input: nothing was sent (exit 2). */
export function usageError(message: string, hint?: Hint, details?: readonly string[]): CommandError {
  return new CommandError('usage', Exit.usage, message, { hint, details });
}

/** Something named by the user does not exist (exit 3). */
export function notFoundError(message: string, hint?: Hint, details?: readonly string[]): CommandError {
  return new CommandError('not_found', Exit.notFound, message, { hint, details });
}

/** Why a name given by the user led to no single thing; src/features/directory makes these. */
export interface LookupFailure {
  readonly kind: 'unknown' | 'ambiguous';
  readonly message: string;
  readonly hint?: Hint | undefined;
  /** Candidates or near names, one a line. */
  readonly details?: readonly string[] | undefined;
}

/** An ambiguous name is wrong usage (exit 2), an unknown one is not found (exit 3). */
export function lookupError(failure: LookupFailure): CommandError {
  return failure.kind === 'ambiguous'
    ? new CommandError('ambiguous_name', Exit.usage, failure.message, failure)
    : notFoundError(failure.message, failure.hint, failure.details);
}

/** Ends with an exit code that somebody else chose, such as that of a program that was run; nothing is said about it. */
export class ExitWith extends Error {
  override readonly name = 'ExitWith';
  readonly exit: number;

  constructor(exit: number) {
    super(`exit code ${exit}`);
    this.exit = exit;
  }
}

/** What any thrown value says, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
