import { deletesMessages, mayRepeat, onlyReads } from '../platform/reading-paths.ts';
import { isSafeAddress, unsafeContentProblem } from '../platform/base-url.ts';
import { comparablePath, normalPath } from '../platform/request-path.ts';
import { factsOf, readReplyValue, readWholeReply, replyErrorOf, type WholeReply } from './reply-value.ts';
import {
  attemptSignalOf,
  buildRequest,
  callUrl,
  foreignPathError,
  dryRunRequestOf,
  requireDedupe,
  requireMethod,
  requireTimeout,
} from './build-request.ts';
import { Attempts, LostDeletion } from './attempts.ts';
import type { AccessTokenSource, Call, RequestOptions } from './call.ts';
import { isEnded, throwIfEnded } from './ended.ts';
import { toApiError } from './error-reply.ts';
import { DryRunStop, type DryRunRequest } from '../errors/dry-run-stop.ts';
import { ApiError, OutcomeUnknownError, UntrustedHostError, requestLineOf } from '../errors/service.ts';
import { isGzip, type HttpReply } from './http.ts';
import { mayBeMediaHost, mayReceiveToken } from './media-hosts.ts';
import { confirmAfterWait, recordOutcome } from './outcome-recorder.ts';
import { Pacing, type PacedRequest } from './pacing.ts';
import { RateBudget } from './rate-budget.ts';
import { defaultMaxWaitMilliseconds } from './rate-wait.ts';
import { redirectError, sendFollowing } from './redirects.ts';
import { nextRetry, type Resend, type RetryLimits } from './retry-policy.ts';
import { SentSecrets } from '../platform/sent-secrets.ts';
import { guardSecrets } from './secret-guard.ts';
import { systemTiming, type Timing } from './timing.ts';
import type { TransportSettings } from './transport-settings.ts';

/** A call that the transport processes. */
interface Job<T> extends PacedRequest {
  readonly url: URL;
  /** Whether the host of the URL may receive the token. */
  readonly isTrusted: boolean;
  readonly read: (reply: HttpReply) => Promise<T>;
  /** Called before each attempt. @throws if the request must not be sent anymore. */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** Whether the caller gets the reply unread. */
  readonly isOpened?: boolean;
}

const defaultRetries = 4;

/** Sends requests: token and its renewal, retries, rate limits, timeout, redirects, errors, dry run. */
export class Transport {
  readonly #settings: TransportSettings;
  readonly #timing: Timing;
  readonly #pacing: Pacing;
  readonly #retry: RetryLimits;
  readonly #dryRunRequests: DryRunRequest[] = [];
  /** The results of `allowMediaHost` by host. */
  readonly #askedHosts = new Map<string, Promise<boolean>>();

  constructor(settings: TransportSettings) {
    this.#settings = {
      ...settings,
      http: guardSecrets(settings.http, settings.sentSecrets ?? new SentSecrets()),
    };
    this.#timing = settings.timing ?? systemTiming;
    this.#pacing = new Pacing({
      budget: settings.limiter ?? new RateBudget(settings.budgetShare),
      timing: this.#timing,
      maxWaitMilliseconds: settings.maxWaitMilliseconds ?? defaultMaxWaitMilliseconds,
      closing: settings.closing,
      onWait: settings.onWait,
    });
    this.#retry = {
      retries: settings.retries ?? defaultRetries,
      resendAfter503: settings.resendAfter503 ?? false,
    };
  }

  /**
   * Sends a call and returns its JSON reply; undefined for a reply without a body.
   * @throws {ApiError} The service rejected the request.
   * @throws {ConnectionError} There was no reply.
   * @throws {OutcomeUnknownError} A `once` call may have been processed.
   * @throws {RateLimitError} The wait for a rate limit would exceed the maximum.
   * @throws {ReplyError} The reply does not have the expected shape.
   */
  async send<T>(call: Call, options: RequestOptions = {}): Promise<T> {
    const reply = await this.sendForText(call, options).catch((error: unknown) => {
      if (error instanceof LostDeletion) return undefined;
      throw error;
    });
    if (!reply) return undefined as T;
    const { value, wrong } = readReplyValue(reply, call);
    if (wrong) throw call.once ? new OutcomeUnknownError(requestLineOf(call), wrong) : wrong;
    return value as T;
  }

  /** Like `send`, but returns the body as text. */
  async sendForText(call: Call, options: RequestOptions = {}): Promise<WholeReply> {
    const reply = await this.#run(
      this.#job(call, options, (unread) => readWholeReply(unread, this.#timing.now())),
    );
    const { requestId, date, receivedAt } = reply;
    options.onReply?.({ requestId, date, receivedAt });
    return reply;
  }

  /**
   * Like `send`, but returns the reply unread. The reply to a change is read first, to verify that the service made the
   * change; a reply that does not prove it is also passed to `onUnproven`.
   */
  async open(call: Call, options: RequestOptions = {}): Promise<HttpReply> {
    const unread = (reply: HttpReply): Promise<HttpReply> => Promise.resolve(reply);
    if (mayRepeat(call)) return this.#runOpened({ ...this.#job(call, options, unread), isOpened: true });
    const { provenReply } = await import('./typed-sends.ts');
    return this.#runOpened(this.#job(call, options, (reply) => provenReply(reply, call, options.onUnproven)));
  }

  /**
   * Sends a GET to a URL that the service returned, such as that of an attachment. Only the service's origin and the
   * media hosts receive the token. @throws {UntrustedHostError} Another host requires a token. @throws {RangeError} for
   * plain http from another machine. @throws the errors of `open`.
   */
  async openUri(
    uri: string,
    headers: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<HttpReply> {
    requireTimeout(options);
    const url = new URL(uri, this.#settings.baseUrl);
    if (!isSafeAddress(url.href)) throw new RangeError(unsafeContentProblem(url));
    const call: Call = { method: 'GET', path: url.pathname, headers, media: true };
    const isTrusted =
      (await mayReceiveToken(url, this.#settings)) || (await this.#askedHosts.get(url.host)) === true;
    const comparable = comparablePath(url.pathname);
    const read = (reply: HttpReply): Promise<HttpReply> => Promise.resolve(reply);
    const job = { call, url, comparable, isTrusted, options, read, isOpened: true };
    try {
      return await this.#runOpened(job);
    } catch (error) {
      const wantsToken = error instanceof ApiError && (error.status === 401 || error.status === 403);
      if (!wantsToken || isTrusted) throw error;
      if (await this.#isAllowed(url)) return this.#runOpened({ ...job, isTrusted: true });
      throw new UntrustedHostError(url.host, error, this.#settings.mediaHosts);
    }
  }

  #job<T>(asked: Call, options: RequestOptions, read: Job<T>['read']): Job<T> {
    const { baseUrl } = this.#settings;
    if (asked.path?.[0] !== '/') throw foreignPathError(asked.path);
    requireMethod(asked);
    requireTimeout(options);
    requireDedupe(asked, options, this.#settings.recorder !== undefined);
    const call = { ...asked, path: normalPath(asked.path) };
    const url = callUrl(baseUrl, call);
    return { call, url, comparable: comparablePath(url.pathname), isTrusted: true, options, read };
  }

  /** Whether the user allows a media host that is not listed. Parallel downloads from a host share the question. */
  async #isAllowed(url: URL): Promise<boolean> {
    const { allowMediaHost, baseUrl } = this.#settings;
    if (!allowMediaHost || !mayBeMediaHost(url, baseUrl)) return false;
    const asked = this.#askedHosts.get(url.host) ?? allowMediaHost(url.host);
    this.#askedHosts.set(url.host, asked);
    return asked;
  }

  async #runOpened(job: Job<HttpReply>): Promise<HttpReply> {
    const reply = await this.#run(job);
    job.options.onReply?.(factsOf(reply, this.#timing.now()));
    return reply;
  }

  async #run<T>(job: Job<T>): Promise<T> {
    const { call, url } = job;
    if (this.#settings.dryRun && !onlyReads(call)) {
      const { dedupeKey, dedupeSince } = job.options;
      // If the key was already used, a dry run fails with the same error as the send.
      if (dedupeKey !== undefined) await this.#settings.recorder?.requireUnused(call, dedupeKey, dedupeSince);
      const request = dryRunRequestOf(call, url);
      const stop = new DryRunStop(request, this.#dryRunRequests);
      this.#dryRunRequests.push(request);
      throw stop;
    }
    const { closing, guard, recorder } = this.#settings;
    throwIfEnded(undefined, closing);
    await guard?.(call);
    if (!call.once || !recorder) return this.#sendWithRetries(job);
    const { dedupeKey, dedupeSince } = job.options;
    const now = (): number => this.#timing.now();
    const recordedAt = now();
    const record = await recorder.before(call, dedupeKey, dedupeSince);
    try {
      const confirm = confirmAfterWait(record, recordedAt, now);
      const result = await this.#sendWithRetries({ ...job, confirm });
      // An unreadable reply leaves the outcome unknown. The recorder gets the same error that `send` throws.
      const error = replyErrorOf(result, call);
      await recordOutcome(record, error ? { state: 'unknown', error } : { state: 'sent', reply: result });
      return result;
    } catch (error) {
      const state = error instanceof OutcomeUnknownError ? 'unknown' : 'failed';
      await recordOutcome(record, { state, error });
      throw error;
    }
  }

  /** Sends the request and retries it, until there is a result or an error that must not be retried. */
  async #sendWithRetries<T>(job: Job<T>): Promise<T> {
    const { call, options } = job;
    const { tokens } = this.#settings;
    let token = job.isTrusted ? await tokens.current(options.signal) : undefined;
    // Reset by each wait, in which another process may renew the session, which invalidates the token.
    let isRenewed = !job.isTrusted;
    let tries = 0;
    let waited = 0;
    const attempts = new Attempts(call);
    const uninterrupted = <R>(waiting: Promise<R>): Promise<R> =>
      waiting.catch((error: unknown) => {
        throw attempts.interrupted(error, options.signal);
      });
    for (;;) {
      const group = this.#pacing.groupOf(job);
      waited += await uninterrupted(this.#pacing.take(job, group, waited));
      await this.#confirm(job, group, attempts);
      let isUnsent = false;
      try {
        return await this.#attempt(job, group, token, () => (isUnsent = true));
      } catch (error) {
        attempts.failed(error, isUnsent);
        const ending = attemptSignalOf(options);
        if (isEnded(error, ending)) throw attempts.interrupted(error, ending);
        if (isUnauthorized(error) && !isRenewed) {
          // 401 means that the request was not processed, so it may be retried with a newer token.
          token = await uninterrupted(renewed(tokens, token ?? '', error, options.signal));
          isRenewed = true;
          continue;
        }
        if (error instanceof ApiError && error.status === 429) {
          await this.#pacing.block(job, waited, error);
          isRenewed = !job.isTrusted;
          continue;
        }
        // The token was rejected and cannot be renewed.
        if (token !== undefined && isUnauthorized(error)) error.hint = await tokens.signInCommand?.();
        const next = nextRetry(error, resendOf(job), tries, this.#limitsOf(job), () => this.#timing.random());
        if (!next) throw attempts.outcome(error, isUnsent);
        tries += 1;
        await uninterrupted(this.#pacing.wait(job, { reason: 'retry', ...next, error }));
        isRenewed = !job.isTrusted;
      }
    }
  }

  /** The limits of retries. A message may be deleted in spite of a 503, and a second DELETE would purge it (CLIENT-2). */
  #limitsOf({ call }: Job<unknown>): RetryLimits {
    return deletesMessages(call) ? { ...this.#retry, resendAfter503: false } : this.#retry;
  }

  /** Checks after a wait that the request may still be sent. */
  async #confirm({ confirm, options }: Job<unknown>, group: string, attempts: Attempts): Promise<void> {
    try {
      await confirm?.();
      options.signal?.throwIfAborted();
    } catch (error) {
      await this.#pacing.giveBack(group);
      throw attempts.unsent(error);
    }
  }

  async #attempt<T>(job: Job<T>, group: string, token: string | undefined, onUnsent: () => void): Promise<T> {
    const { call, url, options, isOpened } = job;
    let reply: HttpReply;
    try {
      const request = buildRequest({ call, url, token, options, isOpened, settings: this.#settings });
      reply = await sendFollowing(this.#settings.http, { ...request, onUnsent });
    } catch (error) {
      await this.#pacing.end(group, error);
      throw error;
    }
    await this.#pacing.learn(job, group, reply);
    if (isGzip(reply) && !call.media) {
      const { decompressed } = await import('./gunzip.ts');
      reply = decompressed(reply, call);
    }
    if (reply.status >= 400) {
      // The status alone means that the request was rejected, so a truncated body does not matter.
      const text = await reply.text().catch(() => '');
      attemptSignalOf(options)?.throwIfAborted();
      options.onErrorStatus?.({ reply, text });
      throw toApiError(reply, text, call, this.#timing.now());
    }
    if (reply.status >= 300 && reply.status !== 304) {
      await reply.discard();
      throw redirectError(reply, url, call);
    }
    return job.read(reply);
  }
}

function isUnauthorized(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401;
}

async function renewed(
  tokens: AccessTokenSource,
  rejected: string,
  cause: ApiError,
  signal: AbortSignal | undefined,
): Promise<string> {
  signal?.throwIfAborted();
  return tokens.renew(rejected, signal, cause.code).catch((error: unknown) => {
    const isAbort = isEnded(error, signal);
    if (error instanceof Error && !error.cause && !isAbort) error.cause = cause;
    throw error;
  });
}

/**
 * Returns the retry rule. By default, a POST and a DELETE of a message are retried only if the request was not sent: a
 * second DELETE would purge the message (CLIENT-2), and a second POST would create a second resource.
 */
function resendOf({ call }: Job<unknown>): Resend {
  if (call.once) return 'unsent';
  if (call.resend) return call.resend;
  if (deletesMessages(call)) return 'unsent';
  return call.method === 'DELETE' || call.method === 'PUT' || mayRepeat(call) ? 'always' : 'unsent';
}
