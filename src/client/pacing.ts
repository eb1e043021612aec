import { eitherSignal } from '../platform/either-signal.ts';
import { RateLimitError, requestLineOf, type ApiError } from '../errors/service.ts';
import type { Call, RequestOptions, Wait } from './call.ts';
import { throwIfEnded } from './ended.ts';
import type { HttpReply } from './http.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { endWithoutReply, isTooLong, waitAfter429 } from './rate-wait.ts';
import type { Timing } from './timing.ts';

/** A request that waits for rate limits and retries. */
export interface PacedRequest {
  readonly call: Call;
  /** The path in the form of `comparablePath`, which determines the usage group and whether the request is retried. */
  readonly comparable: string;
  readonly options: RequestOptions;
}

interface PacingParts {
  readonly budget: RateLimiter;
  readonly timing: Timing;
  /** Maximum time that one request waits for rate limits, in milliseconds. */
  readonly maxWaitMilliseconds: number;
  /** Aborts when the client is closed. Then waits end. */
  readonly closing: AbortSignal | undefined;
  readonly onWait: ((wait: Wait) => void) | undefined;
}

/** The waits of requests, and what their replies say about the rate limits. */
export class Pacing {
  readonly #parts: PacingParts;

  constructor(parts: PacingParts) {
    this.#parts = parts;
  }

  groupOf({ call, comparable }: PacedRequest): string {
    return this.#parts.budget.groupOf(call.method, comparable);
  }

  /**
   * Waits until the budget of the group allows a request. Returns the milliseconds waited. @throws the reason of an
   * abort, because the request has not been sent. @throws {ClientClosedError} The client was closed.
   * @param before milliseconds that the request has already waited
   */
  async take(request: PacedRequest, group: string, before: number): Promise<number> {
    const { budget, timing, closing } = this.#parts;
    const { signal } = request.options;
    let waited = 0;
    for (;;) {
      throwIfEnded(signal, closing);
      const milliseconds = await budget.take(group, timing.now(), request.call.reserve);
      if (milliseconds === 0) {
        if (signal?.aborted || closing?.aborted) await this.giveBack(group);
        throwIfEnded(signal, closing);
        return waited;
      }
      this.#checkWait(request, group, before + waited, milliseconds);
      await this.wait(request, { reason: 'rate-limit', milliseconds });
      waited += milliseconds;
    }
  }

  /** Handles a 429: blocks the group until the penalty ends, because each earlier request restarts the penalty. */
  async block(request: PacedRequest, waited: number, error: ApiError): Promise<void> {
    const { budget, timing } = this.#parts;
    const group = this.groupOf(request);
    const milliseconds = waitAfter429(error.retryAfterSeconds);
    // If the other processes cannot be notified, this process waits nevertheless.
    await budget.block(group, milliseconds, timing.now()).catch(() => undefined);
    this.#checkWait(request, group, waited, milliseconds, error);
  }

  #checkWait(
    { call }: PacedRequest,
    group: string,
    before: number,
    milliseconds: number,
    error?: ApiError,
  ): void {
    if (!isTooLong(before + milliseconds, this.#parts.maxWaitMilliseconds)) return;
    throw new RateLimitError(group, Math.ceil(milliseconds / 1000), requestLineOf(call), error);
  }

  async wait({ call, options }: PacedRequest, reason: Omit<Wait, 'request'>): Promise<void> {
    const { closing, timing, onWait } = this.#parts;
    const { signal } = options;
    const wait: Wait = { ...reason, request: requestLineOf(call) };
    options.onWait?.(wait);
    // The caller may have ended the request instead of waiting.
    if (!signal?.aborted) onWait?.(wait);
    const ends = closing && eitherSignal(signal, closing);
    try {
      await timing.sleep(wait.milliseconds, ends ? ends.signal : signal);
    } catch (error) {
      throwIfEnded(signal, closing);
      throw error;
    } finally {
      ends?.end();
    }
  }

  /** Updates the budget from a reply. A failure is ignored, because the service has already processed the request. */
  async learn({ call, comparable }: PacedRequest, group: string, reply: HttpReply): Promise<void> {
    const { budget, timing } = this.#parts;
    await budget.learn(group, call.method, comparable, reply, timing.now()).catch(() => undefined);
  }

  /** Updates the budget after a request without a reply. */
  async end(group: string, error: unknown): Promise<void> {
    await endWithoutReply(this.#parts.budget, group, error, this.#parts.timing.now());
  }

  /** Returns a request that was taken but not sent. If the shared budget cannot be changed, the request counts. */
  async giveBack(group: string): Promise<void> {
    await this.#parts.budget.giveBack(group, this.#parts.timing.now()).catch(() => undefined);
  }
}
