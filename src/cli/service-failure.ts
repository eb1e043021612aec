import { Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import type { ApiError } from '../errors/service.ts';
import { serverFacts, type Failure } from './failure.ts';

/** The error for a rejection by the service, by its status and code (ERROR-5 to ERROR-40). */
export function serviceFailure(error: ApiError): Failure {
  const facts = { ...serverFacts(error), message: error.message };
  const { status } = error;
  if (status === 401) {
    return {
      ...facts,
      code: 'sign_in_required',
      exit: Exit.signIn,
      // OAUTH-46, OAUTH-47.
      details: [
        'a new token was refused too: the user revoked it, or the credentials were changed, which ends all sessions',
      ],
      hint: nextStep`sign in again: ${error.hint ?? ucctl('login')}`,
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
      hint: nextStep`sign in as someone who may (${ucctl('login')}), or ask an administrator; who you are: ${ucctl('status')}`,
      retryable: false,
    };
  }
  // A missing resource that the body names has the same code with status 400 (ERROR-12).
  if (status === 404 || error.code === 'CMN-102') {
    const hint = missingHint(error);
    return { ...facts, code: 'not_found', exit: Exit.notFound, hint, retryable: false };
  }
  if (status === 409) return { ...facts, code: 'conflict', exit: Exit.conflict, retryable: false };
  if (status === 429) {
    const wait = error.retryAfterSeconds;
    const hint = wait === undefined ? 'wait a minute and try again' : `wait ${wait} s and try again`;
    return { ...facts, code: 'rate_limited', exit: Exit.rateLimited, hint, retryable: true };
  }
  if (status >= 500)
    return { ...facts, code: 'service_failed', exit: Exit.failed, hint: 'try again later', retryable: true };
  return { ...facts, code: 'service_refused', exit: Exit.failed, hint: hintFor(error), retryable: false };
}

/** The permission that the application or the user lacks, by the code of the rejection (ERROR-20); undefined for other rejections. */
function neededPermission({ permissionName, code, errors }: ApiError): string | undefined {
  if (permissionName) return `permission ${permissionName}`;
  const codes = [code, ...errors.map(({ errorCode }) => errorCode)];
  const known = codes.map((one) => permissionCodes[one]).find((words) => words !== undefined);
  return known ?? (codes.includes('InsufficientPermissions') ? 'another permission or role' : undefined);
}

/** What may be the reason that something is not there, by what was asked for. */
function missingHint({ message, request }: ApiError): Hint {
  const { path } = request;
  // Deleted messages are hidden unless the request names an availability (MESSAGE-30).
  const id = /\/message-store\/(\d+)(\/|$)/.exec(path)?.[1];
  if (id !== undefined)
    return nextStep`deleted and purged messages are hidden: ${ucctl(`message show ${id} --availability Alive,Deleted,Purged`)}`;
  if (/\/ring-?out\/[^/]+$/.test(path))
    return nextStep`a call that is over is soon forgotten: ${ucctl('calllog list')}`;
  if (!path.endsWith('/company-pager')) return 'check the id';
  return message.includes('replyOn')
    ? nextStep`messages that can be replied to: ${ucctl('message list --type Pager --since 30d')}`
    : 'one of the receivers is no extension of this account';
}

/** The next step after a rejection, by its code (ERROR-30 to ERROR-36). */
function hintFor({ code, errors }: ApiError): Hint {
  const codes = [code, ...errors.map(({ errorCode }) => errorCode)];
  return (
    codes.map((one) => refusalHints[one]).find((words) => words !== undefined) ??
    'see what the service says above; nothing was changed'
  );
}

// SMS-4 to SMS-6.
const sendersHint = nextStep`numbers that can send texts: ${ucctl('sms numbers')}; ${"the company number is the Operator Extension's (101 unless the account portal says otherwise), a queue's direct number needs a sign-in as the queue's manager with the queue's credentials"}`;
const receiverHint = nextStep`the address must answer the handshake from where the service is; try it with: ${ucctl('webhook listen')}`;
const refusalHints: Readonly<Record<string, Hint>> = {
  'MSG-240': sendersHint,
  'MSG-304': sendersHint,
  'MSG-305': 'texts go out too fast: wait a moment, or send fewer at a time',
  // Rules 1, 7, 9 and 10 of the same.
  'MSG-314':
    'texts reach users and voicemail-only extensions, messages between extensions also queues; nothing else can receive them',
  'MSG-316': nextStep`the queue has no agents who could receive it: ${ucctl('queue members QUEUE')}`,
  'MSG-324':
    'a Disabled or Frozen extension is among the receivers, so that nobody got it: leave that one out',
  'MSG-325': nextStep`start a new thread: ${ucctl('pager send')}`,
  'MSG-326': nextStep`only who is in a thread now can read it or reply; start a new one: ${ucctl('pager send')}`,
  'MSG-330': 'nobody can send messages in the name of a queue, its manager neither: sign in as a user',
  'MSG-331': nextStep`the sender is your own extension number: ${ucctl('status')}`,
  'MSG-219': 'name the receivers with --to',
  'MSG-338': 'at most 50 MB and 200 pages: send it in several faxes',
  'MSG-340': 'only users can send faxes: sign in as one',
  'MSG-341': nextStep`wait until it is sent or has failed: ${ucctl('fax status ID --wait')}`,
  'MSG-352': 'give documents, or --cover N with --cover-text TEXT',
  'MSG-390': 'give conversations or a type, not both',
  'SUB-505': nextStep`delete one that is not needed: ${ucctl('subscribe list')}, ${ucctl('subscribe delete ID')}`,
  'SUB-508': nextStep`names and paths of events: ${ucctl('subscribe create --help')}`,
  'SUB-520': receiverHint,
  'SUB-521': receiverHint,
  'SUB-523': 'give an https address',
  'SUB-524': receiverHint,
  'SUB-525': receiverHint,
};

const permissionCodes: Readonly<Record<string, string>> = {
  'CMN-401': 'a permission that the app does not have',
  'CMN-402': 'an administrator',
  'CMN-403': 'an extension of another type',
  'CMN-404': 'the extension itself, or an administrator',
  'CMN-408': 'a permission that the user does not have',
  'CMN-419': 'an app with extended scope',
};
