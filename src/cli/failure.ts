import type { Settings } from '../runtime/context.ts';
import { Exit } from '../runtime/errors.ts';

/** An error as users and scripts see it. */
export interface Failure {
  /** The stable word for scripts. */
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly need?: string | undefined;
  readonly hint?: string | undefined;
  readonly details?: readonly string[] | undefined;
  readonly retryable: boolean;
  readonly httpStatus?: number | undefined;
  readonly serverCode?: string | undefined;
  readonly requestId?: string | undefined;
  readonly request?: { readonly method: string; readonly path: string } | undefined;
}

/** What errors of the layers below carry; they are told apart by `name`, so that no layer is loaded to report one. */
interface Carried {
  readonly code?: string;
  readonly exit?: number;
  readonly hint?: string;
  readonly need?: string;
  readonly details?: readonly string[];
  readonly retryable?: boolean;
  readonly status?: number;
  readonly permissionName?: string;
  readonly errors?: readonly { readonly errorCode: string }[];
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly request?: { readonly method: string; readonly path: string };
  readonly origin?: string;
  readonly proxy?: string | undefined;
  readonly reason?: string;
  readonly syscall?: string;
  readonly waitSeconds?: number;
  readonly host?: string;
}

/** Signals that end the tool, with their exit codes. */
const signalExits: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Why the run was aborted: the reason of `System.signal`. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'interrupted' : 'ended by SIGTERM');
    this.signal = signal;
  }
}

/** The exit code of a run that a signal or Ctrl-C in a prompt ended; undefined when `error` is something else. */
export function interruptExit(error: unknown, signal: AbortSignal): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'ExitPromptError') return signalExits['SIGINT'];
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  const endedBySignal =
    error === reason || ['AbortError', 'AbortPromptError', 'Interrupted'].includes(error.name);
  if (reason === undefined || !endedBySignal) return undefined;
  return reason instanceof Interrupted ? signalExits[reason.signal] : signalExits['SIGINT'];
}

/** Sorts any error into a failure with its exit code and next step. */
export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return bug(String(error));
  const carried = error as Error & Carried;
  switch (error.name) {
    case 'CommandError':
      return commandFailure(carried);
    case 'ApiError':
      return apiFailure(carried);
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
        code: 'bad_reply',
        message: error.message,
        exit: Exit.failed,
        hint: 'check the base URL: ucctl config list --show-origin',
        retryable: false,
        httpStatus: carried.status,
        request: carried.request,
      };
    default:
      return carried.syscall || carried.code?.startsWith('ERR_SQLITE')
        ? localFailure(carried)
        : bug(error.message);
  }
}

/** A next step that is a `ucctl` command must be for the profile that `-p` named, not for the one in use. */
export function forProfile(failure: Failure, profile: Settings['profile'] | undefined): Failure {
  if (profile?.origin !== 'flag' || failure.hint === undefined) return failure;
  const hint = failure.hint.replace(
    /\bucctl (login|logout|status)\b(?! -p )/,
    `ucctl $1 -p ${profile.value}`,
  );
  return { ...failure, hint };
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
  return {
    ...causeFacts(error),
    code: 'rate_limited',
    message: error.message,
    exit: Exit.rateLimited,
    hint: `try again in ${error.waitSeconds ?? 60} s, or wait for it with --max-wait ${error.waitSeconds ?? 60}s`,
    retryable: true,
    request: error.request,
  };
}

/** What the service said, when it said something. */
function causeFacts(error: Error): Partial<Failure> {
  const cause = error.cause instanceof Error ? (error.cause as Error & Carried) : undefined;
  return cause?.name === 'ApiError' ? serverFacts(cause) : {};
}

function serverFacts(error: Carried): Partial<Failure> {
  return {
    httpStatus: error.status,
    serverCode: error.code,
    requestId: error.requestId,
    request: error.request,
  };
}

function apiFailure(error: Error & Carried): Failure {
  const facts = { ...serverFacts(error), message: error.message };
  const status = error.status ?? 0;
  if (status === 401) {
    return {
      ...facts,
      code: 'sign_in_required',
      exit: Exit.signIn,
      // Specification, Token lifetime and invalidation 3 and 4.
      details: [
        'a new token was refused too: the user revoked it, or the credentials were changed, which ends all sessions',
      ],
      hint: 'sign in again: ucctl login',
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
      hint: 'sign in as someone who may (ucctl login), or ask an administrator; who you are: ucctl status',
      retryable: false,
    };
  }
  // Facts 1.6: what a body names and is not there is the same code under 400.
  if (status === 404 || error.code === 'CMN-102') {
    return { ...facts, code: 'not_found', exit: Exit.notFound, hint: 'check the id', retryable: false };
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

/** What a refusal says that the app or the user lacks (facts 1.6); undefined for a refusal of another kind. */
function neededPermission({ permissionName, code, errors }: Carried): string | undefined {
  if (permissionName) return `permission ${permissionName}`;
  const codes = [code ?? '', ...(errors ?? []).map(({ errorCode }) => errorCode)];
  const known = codes.map((one) => permissionCodes[one]).find((words) => words !== undefined);
  return known ?? (codes.includes('InsufficientPermissions') ? 'another permission or role' : undefined);
}

/** The next step after a refusal by its code (facts 1.6). */
function hintFor({ code, errors }: Carried): string {
  const codes = [code ?? '', ...(errors ?? []).map(({ errorCode }) => errorCode)];
  return (
    codes.map((one) => refusalHints[one]).find((words) => words !== undefined) ??
    'see what the service says above; nothing was changed'
  );
}

// Specification, SMS and pager rules 4, 5 and 6.
const sendersHint =
  "numbers that can send texts: ucctl sms numbers; the company number is the Operator Extension's (101 unless the account portal says otherwise), " +
  "a queue's direct number needs a sign-in as the queue's manager with the queue's credentials";
const receiverHint =
  'the address must answer the handshake from where the service is; try it with: ucctl webhook listen';
const refusalHints: Readonly<Record<string, string>> = {
  'MSG-240': sendersHint,
  'MSG-304': sendersHint,
  'MSG-305': 'texts go out too fast: wait a moment, or send fewer at a time',
  // Rules 1, 7, 9 and 10 of the same.
  'MSG-314':
    'texts reach users and voicemail-only extensions, messages between extensions also queues; nothing else can receive them',
  'MSG-316': 'the queue has no agents who could receive it: ucctl queue members QUEUE',
  'MSG-324':
    'a Disabled or Frozen extension is among the receivers, so that nobody got it: leave that one out',
  'MSG-325': 'start a new thread: ucctl pager send',
  'MSG-326': 'only who is in a thread now can reply to it; start a new one: ucctl pager send',
  'MSG-330': 'nobody can send messages in the name of a queue, its manager neither: sign in as a user',
  'MSG-331': 'the sender is your own extension number: ucctl status',
  'MSG-219': 'name the receivers with --to',
  'MSG-338': 'at most 50 MB and 200 pages: send it in several faxes',
  'MSG-340': 'only users can send faxes: sign in as one',
  'MSG-341': 'wait until it is sent or has failed: ucctl fax status ID --wait',
  'MSG-352': 'give documents, or --cover N with --cover-text TEXT',
  'MSG-390': 'give conversations or a type, not both',
  'SUB-505': 'delete one that is not needed: ucctl subscribe list, ucctl subscribe delete ID',
  'SUB-508': 'names and paths of events: ucctl subscribe create --help',
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

const certificateTroubles: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain ends in one that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer of its certificate is not known to this machine',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is not known to this machine',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

const networkTroubles: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not accepted in time',
  TIMEOUT: 'no answer in time; --timeout waits longer',
  PROXY_407: 'the proxy wants a user name and password in its address',
  PROXY_403: 'the proxy forbids it',
};

function connectionFailure(error: Error & Carried): Failure {
  const code = error.code ?? 'UNKNOWN';
  const certificate = certificateTroubles[code];
  const trouble = certificate ?? networkTroubles[code];
  const where = error.proxy === undefined ? (error.origin ?? 'the service') : `the proxy ${error.proxy}`;
  return {
    code: certificate ? 'tls' : 'network',
    message: trouble ? `cannot talk to ${where}: ${trouble} (${code})` : error.message,
    exit: Exit.network,
    hint: connectionHint(code, certificate !== undefined, error.proxy),
    retryable: !certificate,
  };
}

/** Another authority changes nothing for a certificate that names another host or has ended. */
function connectionHint(code: string, isCertificate: boolean, proxy: string | undefined): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'check the host name of the base URL: ucctl config list --show-origin';
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return 'check the clock of this machine (ucctl doctor); if it is right, tell who runs that host';
  }
  if (isCertificate) return '--ca-file FILE or UCCTL_CA_FILE trusts further certificate authorities';
  if (proxy !== undefined || code.startsWith('PROXY_')) {
    return 'check the proxy: --proxy, HTTPS_PROXY; NO_PROXY names hosts that need none; ucctl doctor tries it';
  }
  return 'check the base URL and the network: ucctl config list --show-origin';
}

function localFailure(error: Error & Carried): Failure {
  return { code: 'local', message: error.message, exit: Exit.local, retryable: false };
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
