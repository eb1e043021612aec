import type { DialectName } from '../runtime/settings.ts';
import { CommandError, Exit, KeyUsedError } from '../errors/command.ts';
import { comparablePath } from '../platform/request-path.ts';
import { sendingPath } from '../platform/sending-paths.ts';
import { type Hint, nextStep, storeHint, ucctl } from '../errors/hint.ts';
import {
  ApiError,
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  ReplyError,
  PathValueError,
  type RequestLine,
  SignInRequiredError,
  UntrustedHostError,
} from '../errors/service.ts';
import { DatabaseError, isOfSqlite } from '../platform/database-error.ts';
import { fileFailureHint, fileFailureReason } from '../platform/file-failure.ts';
import { lookupTable } from '../platform/lookup-table.ts';
import { ownProcess } from '../platform/own-process.ts';
import { StoreError } from '../platform/store-error.ts';
import { UnsafePathError } from '../platform/ownership.ts';
import { EachFailedError } from '../errors/each-failed.ts';
import { eachFailure } from './each-failure.ts';
import { checkChangeFirst, connectionFailure } from './connection-failure.ts';
import { causeFacts, type Failure } from './failure.ts';
import type { SeenReplies, SeenReply } from './seen-replies.ts';
import { serviceFailure } from './service-failure.ts';

/**
 * Classifies any error as a failure with its exit code and next step. An unexpected error after a reply is reported as a reply that could not
 * be processed, not as a bug: a reply of the service must never lead to exit code 70.
 */
export function toFailure(error: unknown, replies?: SeenReplies, dialect?: DialectName): Failure {
  const failure = classify(error, dialect);
  if (replies?.lastChange && error instanceof Error && isOfMachine(error))
    return localAfterChange(failure, replies.lastChange);
  if (failure.exit !== Exit.bug) return failure;
  const damaged = replies?.lastChange ? [] : ownProcess.damagedFiles();
  if (damaged.length > 0) return damagedFailure(damaged);
  return replies?.last ? unprocessed(error, replies) : failure;
}

/** Returns the error for an installation with damaged files, which the failed code is part of. */
function damagedFailure([first = '', ...others]: readonly string[]): Failure {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return {
    code: 'installation_damaged',
    message: `the installation of ucctl is damaged: dist/cli/${first}${more}`,
    exit: Exit.local,
    hint: 'reinstall ucctl; in a checkout, run: npm run build',
    retryable: false,
  };
}

function classify(error: unknown, dialect: DialectName | undefined): Failure {
  if (!(error instanceof Error)) return bug(String(error));
  if (error instanceof CommandError) return commandFailure(error);
  if (error instanceof EachFailedError) return eachFailure(error, (one) => classify(one, dialect));
  if (error instanceof ApiError) return serviceFailure(error, dialect);
  if (error instanceof SignInRequiredError) return signInFailure(error);
  if (error instanceof ConnectionError) return connectionFailure(error);
  if (error instanceof RateLimitError) return rateLimitFailure(error);
  if (error instanceof UntrustedHostError) return untrustedHostFailure(error);
  if (error instanceof OutcomeUnknownError) return outcomeUnknownFailure(error);
  if (error instanceof ReplyError) return replyFailure(error);
  if (error instanceof PathValueError) return pathValueFailure(error);
  return machineFailure(error);
}

/** Whether this machine or the store failed, not the service. */
function isOfMachine(error: Error): boolean {
  return error instanceof DatabaseError || error instanceof StoreError || isLocal(error);
}

/** Classifies an error of this machine or of a store. Any other error is a bug. */
function machineFailure(error: Error): Failure {
  if (error instanceof DatabaseError || error instanceof UnsafePathError) return fileFailure(error);
  if (error instanceof StoreError) return storeFailure(error);
  return isLocal(error) ? localFailure(error) : bug(error.message);
}

/** Returns whether a call of the operating system or of SQLite failed. */
function isLocal(error: Error): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined || isOfSqlite(error);
}

function commandFailure(error: CommandError): Failure {
  const { code, message, exit, need, hint, details, retryable, run, outcome } = error;
  const earlier = error instanceof KeyUsedError ? error.earlier : undefined;
  return { ...causeFacts(error), code, message, exit, need, hint, details, retryable, run, outcome, earlier };
}

function rateLimitFailure(error: RateLimitError): Failure {
  const seconds = error.waitSeconds;
  return {
    ...causeFacts(error),
    code: 'rate_limited',
    message: error.message,
    exit: Exit.rateLimited,
    hint: error.hint ?? `retry in ${seconds} s, or let ucctl wait with --max-wait ${seconds}s`,
    retryable: true,
    retryAfter: seconds,
    request: error.request,
  };
}

function signInFailure(error: SignInRequiredError): Failure {
  return {
    ...causeFacts(error),
    code: 'sign_in_required',
    message: error.message,
    exit: Exit.signIn,
    hint: error.hint ?? ucctl('login'),
    retryable: false,
  };
}

function pathValueFailure({ message }: PathValueError): Failure {
  return {
    code: 'usage',
    message,
    exit: Exit.usage,
    hint: 'use an ID that the list command shows',
    retryable: false,
  };
}

function untrustedHostFailure(error: UntrustedHostError): Failure {
  return {
    ...causeFacts(error),
    code: 'untrusted_host',
    message: error.message,
    exit: Exit.failed,
    hint: nextStep`if the host belongs to the service, allow it: ${error.remedy}`,
    retryable: false,
  };
}

function outcomeUnknownFailure(error: OutcomeUnknownError): Failure {
  const { cause } = error;
  const list = isJournaled(error.request) ? nextStep`: ${ucctl('outcome list')}` : '';
  const next = cause instanceof ReplyError && cause.isForeign ? nextStep`; then ${addressHint(cause)}` : '';
  return {
    ...causeFacts(error),
    code: 'outcome_unknown',
    message: error.message,
    exit: Exit.outcomeUnknown,
    hint: nextStep`check whether the request took effect before you repeat it${list}${next}`,
    retryable: false,
    outcome: error.outcome,
    request: error.request,
  };
}

/** Whether the outcome journal has an entry for the request. The journal contains only messages and calls. */
function isJournaled({ path }: RequestLine): boolean {
  return sendingPath(comparablePath(path)) !== undefined;
}

function replyFailure(error: ReplyError): Failure {
  return {
    // The error for a reply that does not show whether the change was made.
    code: error.mayBeDone ? 'outcome_unknown' : 'bad_reply',
    message: error.message,
    exit: error.mayBeDone ? Exit.outcomeUnknown : Exit.failed,
    hint: error.hint ?? (error.mayBeDone ? checkChangeFirst(addressHint(error)) : addressHint(error)),
    retryable: false,
    httpStatus: error.status,
    request: error.request,
  };
}

/** Returns what to check after the reply of another server. */
function addressHint({ isForeign }: ReplyError): Hint {
  const network = isForeign ? 'check the proxy and the sign-in page of the network, and ' : '';
  return nextStep`${network}check the base URL: ${ucctl('config list --show-origin')}`;
}

/** Returns the error for a file or folder of ucctl that cannot be used, or is not safe to use. */
function fileFailure(error: DatabaseError | UnsafePathError): Failure {
  const { code, message, hint } = error;
  const retryable = error instanceof DatabaseError && error.retryable;
  return { code, message, exit: Exit.local, hint, retryable };
}

/** Returns the error for a PostgreSQL store that cannot be used. */
function storeFailure(error: StoreError): Failure {
  const { code, message, retryable } = error;
  return { code, message, exit: Exit.local, hint: storeHint(error), retryable };
}

function localFailure(error: Error): Failure {
  const hint = fileFailureHint(error) ?? permissionHint(error);
  return { code: 'local', message: localMessage(error), exit: Exit.local, hint, retryable: false };
}

/**
 * Returns the failure of this machine after the service accepted a change, for example if the result cannot be shown.
 * Exit code 12 would make a script repeat the change.
 */
function localAfterChange({ message, hint }: Failure, { method, path }: SeenReply): Failure {
  return {
    code: 'outcome_unknown',
    message: `the service accepted ${method} ${path}, but then ucctl failed: ${message}`,
    exit: Exit.outcomeUnknown,
    hint: checkChangeFirst(hint ?? 'correct the cause'),
    retryable: false,
    request: { method, path },
  };
}

/** Returns the next step if the user has no permission for a file. A port, for which the same codes apply, has no path. */
function permissionHint({ code, path }: NodeJS.ErrnoException): string | undefined {
  const isForbidden = path !== undefined && ['EACCES', 'EPERM'].includes(code ?? '');
  return isForbidden
    ? 'check the owner and mode of the file and its folder; to select another folder: ucctl help environment'
    : undefined;
}

/** What failed, for calls of the system that use an open file. Their errors do not have the path of the file. */
const openFileFailures: Readonly<Record<string, string>> = lookupTable({
  write: 'cannot write a file',
  fsync: 'cannot write a file',
  fdatasync: 'cannot write a file',
  ftruncate: 'cannot write a file',
  read: 'cannot read a file',
});

/** Returns the message of an error of the system. */
function localMessage(error: Error): string {
  const { path, syscall } = error as NodeJS.ErrnoException;
  const reason = fileFailureReason(error);
  if (reason === error.message) return reason;
  if (path !== undefined) return `cannot use ${path}: ${reason}`;
  const what = openFileFailures[syscall ?? ''];
  return what === undefined ? error.message : `${what}: ${reason}`;
}

function unprocessed(error: unknown, { last, lastChange }: SeenReplies): Failure {
  const what = error instanceof Error ? error.message : String(error);
  const line = last ? `${last.method} ${last.path} (HTTP ${last.status})` : '';
  const change = lastChange ? `${lastChange.method} ${lastChange.path}` : undefined;
  return {
    code: 'bad_reply',
    message: `ucctl could not process the reply to ${line}: ${what}`,
    exit: Exit.failed,
    hint:
      change === undefined
        ? 'run the command again with --debug=http and report the output'
        : `the service accepted ${change}: check whether the change was made before you repeat the command`,
    retryable: false,
    httpStatus: last?.status,
    request: last && { method: last.method, path: last.path },
  };
}

function bug(message: string): Failure {
  return {
    code: 'bug',
    message: `bug in ucctl: ${message}`,
    exit: Exit.bug,
    hint: 'run the command again with --debug and report the output',
    retryable: false,
  };
}
