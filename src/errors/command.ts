import type { Hint } from './hint.ts';

/**
 * Exit codes of ucctl, each with one meaning, as documented in `ucctl help exit-codes`. The exit codes 130 and 143 of
 * signals have no name here.
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
  blocked: 9,
  changesPresent: 10,
  conflict: 11,
  local: 12,
  stateNotReached: 13,
  outcomeUnknown: 14,
  bug: 70,
} as const;

export type ExitCode = (typeof Exit)[keyof typeof Exit];

/**
 * A further line of an error. A place in a list has one form for programs, such as `agents.csv:2:queue: ...`, and
 * another form for people.
 */
export type Detail = string | { readonly machine: string; readonly people: string };

/** Optional members of a `CommandError`. */
export interface CommandErrorDetails {
  /** The next step for the user: a command, or a text with commands in it. */
  readonly hint?: Hint | undefined;
  /** The missing requirement, e.g. `permission ReadCompanyCallLog`. */
  readonly need?: string | undefined;
  /** Further lines, such as the candidates of an ambiguous name or every bad CSV row. */
  readonly details?: readonly Detail[] | undefined;
  /** Whether the same command, unchanged, may succeed later. */
  readonly retryable?: boolean | undefined;
  /** ID of the run that the error is about. */
  readonly run?: string | undefined;
  /** ID of the unknown outcome, for `ucctl outcome resolve`. */
  readonly outcome?: number | undefined;
  readonly cause?: unknown;
}

/**
 * An expected failure of a command: a message, a stable `code` for scripts, the exit code and the next step. Any other error of
 * ucctl's own code is a bug and ends with exit 70.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;
  readonly exit: ExitCode;
  readonly hint: Hint | undefined;
  readonly need: string | undefined;
  readonly details: readonly Detail[];
  readonly retryable: boolean;
  readonly run: string | undefined;
  readonly outcome: number | undefined;

  constructor(code: string, exit: ExitCode, message: string, more: CommandErrorDetails = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.exit = exit;
    this.hint = more.hint;
    this.need = more.need;
    this.details = more.details ?? [];
    this.retryable = more.retryable ?? false;
    this.run = more.run;
    this.outcome = more.outcome;
  }
}

/** The earlier request that used a `--dedupe-key`. */
export interface EarlierSend {
  /** Number of its outcome, for `ucctl outcome resolve`. */
  readonly outcome: number;
  readonly state: 'sending' | 'sent' | 'unknown';
  /** ID of the message or call on the service, if known. */
  readonly id?: string | undefined;
}

/** The error for a `--dedupe-key` that an earlier request used (exit 11). */
export class KeyUsedError extends CommandError {
  readonly earlier: EarlierSend;

  constructor(message: string, earlier: EarlierSend, more: CommandErrorDetails = {}) {
    super('duplicate', Exit.conflict, message, more);
    this.earlier = earlier;
  }

  /** Whether the service is known to have accepted the request that was sent under the key. */
  get wasSent(): boolean {
    return this.earlier.state === 'sent';
  }
}

/** The error for a send whose outcome another process resolved before the request was sent (exit 11). */
export class OutcomeResolvedError extends CommandError {
  constructor(message: string, more: CommandErrorDetails = {}) {
    super('outcome_resolved', Exit.conflict, message, more);
  }
}

/** The error for a full disk (`disk_full`, exit 12). It ends a run, because every further file would also fail. */
export class DiskFullError extends CommandError {
  constructor(message: string, more: CommandErrorDetails = {}) {
    super('disk_full', Exit.local, message, more);
  }
}

/** The error for a machine without a usable keychain (`keychain_missing`, exit 12). */
export class KeychainMissingError extends CommandError {
  constructor(message: string, more: CommandErrorDetails = {}) {
    super('keychain_missing', Exit.local, message, more);
  }
}

/** Returns the error for invalid input: nothing was sent (exit 2). */
export function usageError(message: string, hint?: Hint, details?: readonly Detail[]): CommandError {
  return new CommandError('usage', Exit.usage, message, { hint, details });
}

/** Returns the error for something that the user named and that does not exist (exit 3). */
export function notFoundError(message: string, hint?: Hint, details?: readonly Detail[]): CommandError {
  return new CommandError('not_found', Exit.notFound, message, { hint, details });
}

/** A failure to resolve a name given by the user, as created by src/features/directory. */
export interface LookupFailure {
  readonly kind: 'unknown' | 'ambiguous';
  readonly message: string;
  readonly hint?: Hint | undefined;
  /** Candidates or similar names, one per line. */
  readonly details?: readonly string[] | undefined;
}

/**
 * Returns the error of a failed lookup: wrong usage (exit 2) for an ambiguous name, not found (exit 3) for an unknown
 * one.
 */
export function lookupError(failure: LookupFailure): CommandError {
  return failure.kind === 'ambiguous'
    ? new CommandError('ambiguous_name', Exit.usage, failure.message, failure)
    : notFoundError(failure.message, failure.hint, failure.details);
}

/** Ends the run with the exit code of another program, without a message. */
export class ExitWith extends Error {
  override readonly name = 'ExitWith';
  readonly exit: number;

  constructor(exit: number) {
    super(`exit code ${exit}`);
    this.exit = exit;
  }
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
