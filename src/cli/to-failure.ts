import { Exit } from '../runtime/errors.ts';
import { connectionFailure } from './connection-failure.ts';
import { causeFacts, type Carried, type Failure } from './failure.ts';
import type { SeenReplies } from './seen-replies.ts';
import { serviceFailure } from './service-failure.ts';

/**
 * Sorts any error into a failure with its exit code and next step. What fails unexpectedly after the service replied is reported as a reply that
 * could not be processed: whatever a server answers, it is no fault of the program that the user could not work around.
 */
export function toFailure(error: unknown, replies?: SeenReplies): Failure {
  const failure = classify(error);
  return failure.exit === Exit.bug && replies?.last ? unprocessed(error, replies) : failure;
}

function classify(error: unknown): Failure {
  if (!(error instanceof Error)) return bug(String(error));
  const carried = error as Error & Carried;
  switch (error.name) {
    case 'CommandError':
      return commandFailure(carried);
    case 'ApiError':
      return serviceFailure(carried);
    case 'SignInRequiredError':
      return signInFailure(carried);
    case 'ConnectionError':
      return connectionFailure(carried);
    case 'RateLimitError':
      return rateLimitFailure(carried);
    case 'UntrustedHostError':
      return {
        ...causeFacts(carried),
        code: 'untrusted_host',
        message: error.message,
        exit: Exit.failed,
        hint: `if it belongs to the service: ucctl config set media-hosts ${carried.host ?? 'HOST'}`,
        retryable: false,
      };
    case 'OutcomeUnknownError':
      return {
        ...causeFacts(carried),
        code: 'outcome_unknown',
        message: error.message,
        exit: Exit.outcomeUnknown,
        hint: 'look whether it was done before you repeat it: ucctl outcome list',
        retryable: false,
        request: carried.request,
      };
    case 'ReplyError':
      return {
        // A change whose reply proves nothing may have been made.
        code: carried.mayBeDone ? 'outcome_unknown' : 'bad_reply',
        message: error.message,
        exit: carried.mayBeDone ? Exit.outcomeUnknown : Exit.failed,
        hint:
          carried.hint ??
          (carried.mayBeDone
            ? 'check whether the change was made before you repeat it; then check the base URL: ucctl config list --show-origin'
            : 'check the base URL: ucctl config list --show-origin'),
        retryable: false,
        httpStatus: carried.status,
        request: carried.request,
      };
    case 'DatabaseError':
    case 'LockFileError':
    case 'UnsafePathError':
      return {
        code: carried.code ?? 'local',
        message: error.message,
        exit: Exit.local,
        hint: carried.hint,
        retryable: carried.retryable ?? false,
      };
    default:
      return carried.syscall || carried.code?.startsWith('ERR_SQLITE')
        ? localFailure(carried)
        : bug(error.message);
  }
}

function commandFailure(error: Error & Carried): Failure {
  return {
    ...causeFacts(error),
    code: error.code ?? 'failed',
    message: error.message,
    exit: error.exit ?? Exit.failed,
    need: error.need,
    hint: error.hint,
    details: error.details,
    retryable: error.retryable ?? false,
  };
}

function rateLimitFailure(error: Error & Carried): Failure {
  const seconds = error.waitSeconds ?? 60;
  return {
    ...causeFacts(error),
    code: 'rate_limited',
    message: error.message,
    exit: Exit.rateLimited,
    hint: error.hint ?? `try again in ${seconds} s, or wait for it with --max-wait ${seconds}s`,
    retryable: true,
    request: error.request,
  };
}

function signInFailure(error: Error & Carried): Failure {
  return {
    ...causeFacts(error),
    code: 'sign_in_required',
    message: error.message,
    exit: Exit.signIn,
    hint: error.hint ?? 'ucctl login',
    retryable: false,
  };
}

function localFailure(error: Error & Carried): Failure {
  return { code: 'local', message: error.message, exit: Exit.local, retryable: false };
}

function unprocessed(error: unknown, { last, lastChange }: SeenReplies): Failure {
  const what = error instanceof Error ? error.message : String(error);
  const line = last ? `${last.method} ${last.path} (HTTP ${last.status})` : '';
  const change = lastChange ? `${lastChange.method} ${lastChange.path}` : undefined;
  return {
    code: 'bad_reply',
    message: `the reply to ${line} could not be processed: ${what}`,
    exit: Exit.failed,
    hint:
      change === undefined
        ? 'run it again with --debug=http and report what it shows'
        : `the service accepted ${change}: do not repeat it before you have checked what it did`,
    retryable: false,
    httpStatus: last?.status,
    request: last && { method: last.method, path: last.path },
  };
}

function bug(message: string): Failure {
  return {
    code: 'bug',
    message: `a fault of ucctl itself: ${message}`,
    exit: Exit.bug,
    hint: 'run it again with --debug and report what it shows',
    retryable: false,
  };
}
