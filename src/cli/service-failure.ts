import { dialectPaths } from '../contract/dialects.ts';
import type { DialectName } from '../runtime/settings.ts';
import { Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { type ApiError, isAmbiguousStatus, isUnsupportedStatus } from '../errors/service.ts';
import { hasNoCode } from '../errors/service-codes.ts';
import { checkChangeFirst } from './connection-failure.ts';
import { serverFacts, type Failure } from './failure.ts';
import { lookupTable } from '../platform/lookup-table.ts';

/** Returns the error for a rejection by the service, by its status and code (ERROR-5 to ERROR-40). */
export function serviceFailure(error: ApiError, dialect: DialectName = 'spec'): Failure {
  const facts = { ...serverFacts(error), message: error.message };
  const { status } = error;
  if (status === 401) {
    return {
      ...facts,
      code: 'sign_in_required',
      exit: Exit.signIn,
      ...unauthorized(error),
      retryable: false,
    };
  }
  const need = status === 403 ? neededPermission(error) : undefined;
  if (need !== undefined) {
    return {
      ...facts,
      code: 'permission_missing',
      exit: Exit.permission,
      need,
      hint: permissionHint(error),
      retryable: false,
    };
  }
  // If a resource named in the request body is missing, the service sends the error code of a 404 with status 400 (ERROR-12).
  if (status === 404 || error.code === 'CMN-102') {
    const hint = hintFor404(error, dialect);
    return { ...facts, code: 'not_found', exit: Exit.notFound, hint, retryable: false };
  }
  if (status === 409)
    return { ...facts, code: 'conflict', exit: Exit.conflict, hint: conflictHint, retryable: false };
  if (status === 429) {
    const wait = error.retryAfterSeconds;
    const hint = wait === undefined ? 'wait a minute and retry' : `wait ${wait} s and retry`;
    return { ...facts, code: 'rate_limited', exit: Exit.rateLimited, hint, retryable: true };
  }
  if (isUnsupportedStatus(status)) {
    const hint = 'the service does not support this request; check the address, the dialect and the proxy';
    return { ...facts, code: 'service_failed', exit: Exit.failed, hint, retryable: false };
  }
  if (error.mayBeDone)
    return {
      ...facts,
      code: 'outcome_unknown',
      message: `${error.message}; the service may have made the change`,
      exit: Exit.outcomeUnknown,
      hint: checkChangeFirst(retryHint(status)),
      retryable: false,
    };
  if (isAmbiguousStatus(status))
    return { ...facts, code: 'service_failed', exit: Exit.failed, hint: retryHint(status), retryable: true };
  return { ...facts, code: 'service_rejected', exit: Exit.failed, hint: hintFor(error), retryable: false };
}

/** Returns the reason and the next step for a 401. */
function unauthorized(error: ApiError): Pick<Failure, 'details' | 'hint'> {
  const login = error.hint ?? ucctl('login');
  if (hasNoCode(error))
    return { hint: nextStep`${otherReplyHint}; if it is correct, sign in again: ${login}` };
  return {
    // Source: OAUTH-46 and OAUTH-47.
    details: [
      'the service rejected a newly issued token: the user revoked the app, or a credential change ended all sessions',
    ],
    hint: nextStep`sign in again: ${login}`,
  };
}

/** Returns the next step after a request that the service may have processed. */
function retryHint(status: number): Hint {
  // Network Authentication Required: the reply of the sign-in page of a network (RFC 6585).
  return status === 511 ? otherReplyHint : 'retry later';
}

/**
 * Returns the permission that the application or the user lacks, by the code of the rejection (ERROR-20); undefined for
 * other rejections.
 */
function neededPermission(error: ApiError): string | undefined {
  if (error.permissionName) return `permission ${error.permissionName}`;
  const codes = codesOf(error);
  const known = codes.map((one) => permissionCodes[one]).find((words) => words !== undefined);
  return known ?? (codes.includes('InsufficientPermissions') ? 'a different permission or role' : undefined);
}

/** Returns the hint for a missing permission. If the app does not have the permission, another user does not have it either. */
function permissionHint(error: ApiError): Hint {
  return codesOf(error).includes('CMN-401')
    ? nextStep`add the permission to the app registration, then sign in again: ${ucctl('login')}`
    : nextStep`ask an administrator, or sign in as a user with this permission (${ucctl('login')}); to show the signed-in user: ${ucctl('status')}`;
}

function codesOf({ code, errors }: ApiError): readonly string[] {
  return [code, ...errors.map(({ errorCode }) => errorCode)];
}

function hintFor404(error: ApiError, dialect: DialectName): Hint {
  if (error.code === 'AGW-404') return unknownPathHint(error.request.path, dialect);
  if (!hasNoCode(error)) return missingHint(error);
  return error.request.path.endsWith('/oauth/token') ? otherReplyHint : otherServerHint;
}

const otherReplyHint = nextStep`check the proxy and the sign-in page of the network, because the reply has no error code of the service; check the base URL, too: ${ucctl('config list --show-origin')}`;
const otherServerHint = nextStep`check the base URL, because the reply has no error code of the service: ${ucctl('config list --show-origin')}; if it is correct, check the ID`;

/** Returns the hint for a path that the service does not have. Names the other dialect only if the path depends on it. */
function unknownPathHint(path: string, dialect: DialectName): Hint {
  const needed = dialect === 'spec' ? 'current' : 'spec';
  const check = 'check the path, because the service does not have it';
  if (dialectPaths[needed].test(path))
    return `${check}; only dialect ${needed} has such paths, and this run has dialect ${dialect}`;
  if (dialectPaths[dialect].test(path))
    return nextStep`${check}; only dialect ${dialect} has such paths: if the service has dialect ${needed}, use --dialect ${needed} (for ${ucctl('api')}, use the path of that dialect)`;
  return nextStep`${check}; to check the base URL: ${ucctl('config list --show-origin')}`;
}

/** Returns the likely reason for a 404, by the path of the request. */
function missingHint({ parameterName, errors, request }: ApiError): Hint {
  const { path } = request;
  // Deleted messages are hidden unless the request names an availability (MESSAGE-30).
  const id = /\/message-store\/(\d+)(\/|$)/.exec(path)?.[1];
  if (id !== undefined) {
    const isOwn = path.includes('/extension/~/');
    const other = isOwn
      ? nextStep`if the message is in another mailbox, add --extension EXT (in the path of ${ucctl('api')}, replace extension/~ with extension/ID); `
      : '';
    return nextStep`${other}deleted and purged messages are hidden; to show them: ${ucctl`message show ${id} --availability Alive,Deleted,Purged`}`;
  }
  if (/\/ring-?out\/[^/]+$/.test(path))
    return nextStep`the status of an ended call is available only for a short time; to find the call: ${ucctl('calllog list')}`;
  if (!path.endsWith('/company-pager'))
    return 'check the ID: it may be misspelled, or the object may have been deleted';
  return parameterName === 'replyOn' || errors.some((one) => one.parameterName === 'replyOn')
    ? nextStep`list the messages you can reply to: ${ucctl('message list --type Pager --since 30d')}`
    : 'check the recipients: at least one is not an extension of this account';
}

/** Returns the next step after a rejection, by its code (ERROR-30 to ERROR-36). */
function hintFor(error: ApiError): Hint {
  if (hasNoCode(error)) return otherReplyHint;
  return (
    codesOf(error)
      .map((one) => rejectionHints[one])
      .find((words) => words !== undefined) ??
    'fix the request as described in the message of the service; nothing was changed'
  );
}

const conflictHint = 'read the current state of the object, and retry if the change is still necessary';

// Source of the sender rules: SMS-4 to SMS-6.
const sendersHint = nextStep`to list the numbers that can send texts: ${ucctl('sms numbers')}; to send from a company number, sign in as the Operator Extension (101 by default); to send from the direct number of a queue, sign in as its manager with the credentials of the queue`;
const receiverHint = nextStep`the service must be able to reach the address and get a reply to its handshake; to test the address: ${ucctl('webhook listen')}`;
const rejectionHints: Readonly<Record<string, Hint>> = lookupTable({
  'MSG-240': sendersHint,
  'MSG-243': 'the service blocks one of the numbers: use another number',
  'MSG-245': sendersHint,
  'MSG-246': nextStep`specify a phone number; to reach an extension, send a pager message: ${ucctl('pager send')}`,
  'MSG-247': 'specify a full phone number instead of a short code',
  'MSG-304': sendersHint,
  'MSG-305': 'wait a moment, then send fewer texts at a time',
  'MSG-314': nextStep`only users and voicemail-only extensions can receive the message: remove all other recipients; to reach a queue, send a pager message: ${ucctl('pager send')}`,
  'MSG-316': nextStep`no agent of the queue can receive the message; to check the agents: ${ucctl('queue members QUEUE')}`,
  'MSG-324': 'remove recipients whose extension is Disabled or Frozen; nothing was sent',
  'MSG-325': nextStep`start a new thread: ${ucctl('pager send')}`,
  'MSG-326': nextStep`only current members can read or reply to a thread; start a new thread: ${ucctl('pager send')}`,
  'MSG-330': 'sign in as a user: nobody can send messages as a queue, not even the manager of the queue',
  'MSG-331': nextStep`send from your own extension number; to show this number: ${ucctl('status')}`,
  'MSG-219': 'specify the recipients with --to',
  'MSG-337': 'attach at most 10 files to a text, with a total of 1,500,000 bytes',
  'MSG-338': 'split the documents into several faxes, each with at most 50 MB and 200 pages',
  'MSG-340': 'faxes are not available to the signed-in extension: sign in as another user',
  'MSG-341': nextStep`to wait until the service has sent the fax or reports a failure: ${ucctl('fax status ID --wait')}`,
  'MSG-352': 'specify documents, or --cover N with --cover-text TEXT',
  'MSG-381': 'send a text to at most 10 recipients as one group',
  'MSG-390': 'specify conversations or a type, not both',
  'SUB-505': nextStep`list your subscriptions: ${ucctl('subscribe list')}; then delete a subscription that you do not need: ${ucctl('subscribe delete ID')}`,
  'SUB-508': nextStep`list event names and paths: ${ucctl('subscribe create --help')}`,
  'SUB-520': receiverHint,
  'SUB-521': receiverHint,
  'SUB-523': 'use an https address',
  'SUB-524': receiverHint,
  'SUB-525': receiverHint,
});

const permissionCodes: Readonly<Record<string, string>> = lookupTable({
  'CMN-401': 'a permission that the app does not have',
  'CMN-402': 'an administrator',
  'CMN-403': 'an extension of a different type',
  'CMN-404': 'the extension itself, or an administrator',
  'CMN-408': 'a permission that the user does not have',
  'CMN-419': 'an app with extended scope',
});
