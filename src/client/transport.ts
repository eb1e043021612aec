import { isLoopback } from '../platform/base-url.ts';
import { comparablePath, normalPath } from '../platform/request-path.ts';
import { readAnswer, readWhole, unreadable, type WholeReply } from './answer.ts';
import { buildRequest, callUrl, leadsAway, withheldOf } from './build-request.ts';
import type { AccessTokenSource, Call, RequestOptions } from './call.ts';
import { specDialect } from './dialect.ts';
import { toApiError } from './error-reply.ts';
import {
  ApiError,
  DryRunStop,
  OutcomeUnknownError,
  RateLimitError,
  ReplyError,
  UntrustedHostError,
  type WithheldRequest,
} from '../errors/service.ts';
import { isGzip, type HttpReply } from './http.ts';
import { RateBudget } from './rate-budget.ts';
import { defaultMaxWaitMilliseconds, isTooLong, waitAfterRefusal } from './rate-wait.ts';
import { sendFollowing } from './redirects.ts';
import { mayBeDone, retryDelay, type Resend, type RetryLimits } from './retry-policy.ts';
import { guardSecrets } from './secret-guard.ts';
import { systemTiming, type Timing } from './timing.ts';
import type { TransportSettings, Wait } from './transport-settings.ts';

/** One request with what is known of it, and how its reply is read. */
interface Job<T> {
  readonly call: Call;
  readonly url: URL;
  /** Its path as `comparablePath` has it: for the usage group and for what may be sent again. */
  readonly looks: string;
  /** Whether the token may go to this address. */
  readonly isTrusted: boolean;
  readonly options: RequestOptions;
  readonly read: (reply: HttpReply) => Promise<T>;
}

const defaultRetries = 4;

/** Everything that all requests share: token and its renewal, retries, rate limits, timeout, redirects, errors, the dry-run guard. */
export class Transport {
  readonly #settings: TransportSettings;
  readonly #timing: Timing;
  readonly #budget: RateBudget;
  readonly #retry: RetryLimits;
  readonly #maxWait: number;
  readonly #withheld: WithheldRequest[] = [];

  constructor(settings: TransportSettings) {
    this.#settings = { ...settings, http: guardSecrets(settings.http) };
    this.#timing = settings.timing ?? systemTiming;
    this.#budget = new RateBudget(settings.budgetShare);
    this.#retry = {
      retries: settings.retries ?? defaultRetries,
      resendAfter503: settings.resendAfter503 ?? false,
    };
    this.#maxWait = settings.maxWaitMilliseconds ?? defaultMaxWaitMilliseconds;
  }

  /**
   * Sends one call and reads its JSON reply; a reply without body gives undefined.
   * @throws {ApiError} the service refused. @throws {ConnectionError} no reply. @throws {OutcomeUnknownError} a `once` call may have been done.
   * @throws {RateLimitError} the wait for a rate limit is too long.
   */
  async send<T>(call: Call, options: RequestOptions = {}): Promise<T> {
    const { status, text, requestId, date } = await this.#run(this.#job(call, options, readWhole));
    options.onReply?.({ requestId, date });
    const { value, wrong } = readAnswer(status, text, call);
    if (wrong) throw call.once ? new OutcomeUnknownError(lineOf(call), wrong) : wrong;
    return value as T;
  }

  /** As `send`, with the body as the text that came. */
  sendForText(call: Call, options: RequestOptions = {}): Promise<WholeReply> {
    return this.#run(this.#job(call, options, readWhole));
  }

  /** As `send`, leaving the body to the caller; of a text, fax or call that went out it is read here first, for what proves it. */
  async open(call: Call, options: RequestOptions = {}): Promise<HttpReply> {
    if (!call.once) return this.#run(this.#job(call, options, (reply) => Promise.resolve(reply)));
    const { proofOfSend, provenReply } = await import('./typed-sends.ts');
    const reply = call.reply ?? proofOfSend(call);
    if (!reply) return this.#run(this.#job(call, options, (answer) => Promise.resolve(answer)));
    return this.#run(this.#job(call, options, (answer) => provenReply(answer, { ...call, reply })));
  }

  /**
   * GET of an address that the service returned, such as that of an attachment. The token goes along only to the service's own origin and to
   * the media hosts. @throws {UntrustedHostError} another host wants a token. @throws as `open`.
   */
  async openUri(
    uri: string,
    headers: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<HttpReply> {
    const url = new URL(uri, this.#settings.baseUrl);
    const call: Call = { method: 'GET', path: url.pathname, headers, media: true };
    const isTrusted = this.#isTrusted(url);
    const looks = comparablePath(url.pathname);
    const read = (reply: HttpReply): Promise<HttpReply> => Promise.resolve(reply);
    return this.#run({ call, url, looks, isTrusted, options, read }).catch((error: unknown) => {
      const wantsToken = error instanceof ApiError && (error.status === 401 || error.status === 403);
      throw wantsToken && !isTrusted ? new UntrustedHostError(url.host, error) : error;
    });
  }

  #job<T>(asked: Call, options: RequestOptions, read: Job<T>['read']): Job<T> {
    const { baseUrl, dialect = specDialect } = this.#settings;
    if (asked.path?.[0] !== '/') throw leadsAway(asked.path);
    const call = { ...asked, path: normalPath(asked.path) };
    const url = callUrl(baseUrl, call, dialect);
    return { call, url, looks: comparablePath(url.pathname), isTrusted: true, options, read };
  }

  #isTrusted(url: URL): boolean {
    const { baseUrl, mediaHosts = [] } = this.#settings;
    if (url.origin === baseUrl.origin) return true;
    // A host on this machine may be plain http, as the service itself may be there.
    const isSafe = url.protocol === 'https:' || isLoopback(url.hostname);
    return isSafe && url.protocol === baseUrl.protocol && mediaHosts.includes(url.host);
  }

  async #run<T>(job: Job<T>): Promise<T> {
    const { call, url } = job;
    if (this.#settings.dryRun && call.method !== 'GET') {
      const withheld = withheldOf(call, url);
      const stop = new DryRunStop(withheld, this.#withheld);
      this.#withheld.push(withheld);
      throw stop;
    }
    const { guard, recorder } = this.#settings;
    await guard?.(call);
    if (!call.once || !recorder) return this.#repeat(job);
    const settle = await recorder.before(call, job.options.dedupeKey);
    try {
      const result = await this.#repeat(job);
      // What the service did is not known from an answer that cannot be read; `send` says the same to its caller.
      const wrong = unreadable(result, call);
      await settle(wrong ? { state: 'unknown', error: wrong } : { state: 'sent', reply: result });
      return result;
    } catch (error) {
      await settle({ state: error instanceof OutcomeUnknownError ? 'unknown' : 'failed', error });
      throw error;
    }
  }

  /** Sends until there is a result, or a failure after which nothing more may be sent. */
  async #repeat<T>(job: Job<T>): Promise<T> {
    const { call, options } = job;
    const { tokens } = this.#settings;
    let token = job.isTrusted ? await tokens.current() : undefined;
    let isRenewed = !job.isTrusted;
    let tries = 0;
    let waited = 0;
    for (;;) {
      const group = this.#budget.groupOf(call.method, job.looks);
      waited += await this.#pace(job, group, waited);
      try {
        return await this.#attempt(job, group, token);
      } catch (error) {
        if (options.signal?.aborted) throw outcomeOf(error, call);
        if (isRefused(error) && !isRenewed) {
          // 401 means the request was not processed, so it may be repeated with a newer token.
          token = await renewed(tokens, token ?? '', error);
          isRenewed = true;
          continue;
        }
        if (error instanceof ApiError && error.status === 429) {
          await this.#refused(job, waited, error);
          continue;
        }
        // The token is at fault, and no other is to be had.
        if (token !== undefined && isRefused(error)) error.hint = await tokens.signInCommand?.();
        const delay = retryDelay(error, resendOf(job), tries, this.#retry, () => this.#timing.random());
        if (delay === undefined) throw outcomeOf(error, call);
        tries += 1;
        await this.#wait(job, { reason: 'retry', milliseconds: delay, error });
      }
    }
  }

  async #attempt<T>(job: Job<T>, group: string, token: string | undefined): Promise<T> {
    const { call, url, options } = job;
    options.signal?.throwIfAborted();
    let reply: HttpReply;
    try {
      reply = await sendFollowing(
        this.#settings.http,
        buildRequest({ call, url, token, options, settings: this.#settings }),
      );
    } catch (error) {
      this.#budget.release(group);
      throw error;
    }
    await this.#budget.learn(group, call.method, job.looks, reply, this.#timing.now());
    if (isGzip(reply) && !call.media) {
      const { unpacked } = await import('./gunzip.ts');
      reply = unpacked(reply, call);
    }
    if (reply.status >= 400) {
      // The status alone says that it was refused: a body that breaks off leaves nothing in doubt.
      const text = await reply.text().catch(() => '');
      options.signal?.throwIfAborted();
      options.onRefusal?.({ reply, text });
      throw toApiError(reply, text, call, this.#timing.now());
    }
    if (reply.status >= 300 && reply.status !== 304) {
      await reply.discard();
      throw new ReplyError(reply.status, call, 'a redirect, which is not followed');
    }
    return job.read(reply);
  }

  /** Waits until the group has a request to give. Gives the milliseconds that it took. */
  async #pace(job: Job<unknown>, group: string, before: number): Promise<number> {
    let waited = 0;
    for (;;) {
      const milliseconds = await this.#budget.take(group, this.#timing.now());
      if (milliseconds === 0) return waited;
      this.#checkWait(job, group, before + waited, milliseconds);
      await this.#wait(job, { reason: 'rate-limit', milliseconds });
      waited += milliseconds;
    }
  }

  /** Notes a 429: nothing of its group goes out before the penalty ends, since each request inside restarts it. */
  async #refused(job: Job<unknown>, waited: number, error: ApiError): Promise<void> {
    const group = this.#budget.groupOf(job.call.method, job.looks);
    const milliseconds = waitAfterRefusal(error.retryAfterSeconds);
    await this.#budget.block(group, milliseconds, this.#timing.now());
    this.#checkWait(job, group, waited, milliseconds, error);
  }

  #checkWait(job: Job<unknown>, group: string, before: number, milliseconds: number, error?: ApiError): void {
    if (!isTooLong(before + milliseconds, this.#maxWait)) return;
    throw new RateLimitError(group, Math.ceil(milliseconds / 1000), lineOf(job.call), error);
  }

  async #wait(job: Job<unknown>, wait: Omit<Wait, 'request'>): Promise<void> {
    this.#settings.onWait?.({ ...wait, request: lineOf(job.call) });
    const { signal } = job.options;
    await this.#timing.sleep(wait.milliseconds, signal).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    });
  }
}

function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401;
}

async function renewed(tokens: AccessTokenSource, refused: string, refusal: ApiError): Promise<string> {
  return tokens.renew(refused).catch((error: unknown) => {
    if (error instanceof Error && !error.cause) error.cause = refusal;
    throw error;
  });
}

function lineOf({ method, path }: Call): { readonly method: string; readonly path: string } {
  return { method, path };
}

/** A second DELETE of a message purges it (CLIENT-2) and every POST creates something, unless the call says otherwise. */
function resendOf({ call, looks }: Job<unknown>): Resend {
  if (call.once) return 'unsent';
  if (call.resend) return call.resend;
  if (call.method === 'DELETE') return looks.includes('/message-store') ? 'unsent' : 'always';
  return call.method === 'GET' || call.method === 'PUT' ? 'always' : 'unsent';
}

/**
 * A `once` call that may have reached the service has an unknown outcome, whatever broke afterwards. Of any other change a reply that cannot be
 * read proves nothing either, such as a redirect.
 */
function outcomeOf(error: unknown, call: Call): unknown {
  if (call.once) return mayBeDone(error) ? new OutcomeUnknownError(lineOf(call), error) : error;
  if (call.method === 'GET' || !(error instanceof ReplyError) || error.mayBeDone) return error;
  const { status, what, hint, cause } = error;
  return new ReplyError(status, call, what, { cause, hint, mayBeDone: true });
}
