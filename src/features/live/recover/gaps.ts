import { counted } from '../../../platform/counted.ts';
import type { Context } from '../../../runtime/context.ts';
import { messageOf } from '../../../errors/command.ts';
import { nextStep } from '../../../errors/hint.ts';
import { retryText } from '../../../errors/hint-of.ts';
import { isFinalRejection } from '../../../errors/service-codes.ts';
import { Recovery, type OnProgress, type RecoverySettings } from './recovery.ts';
import type { Gap } from '../subscription/renew.ts';

/**
 * Milliseconds to wait before a recovery, because notifications that were delayed while this machine slept can still
 * arrive.
 */
const recoveryDelay = 2000;

/** Milliseconds before a failed recovery is repeated. The wait doubles after each attempt. */
const firstWait = 30_000;
const maxWait = 600_000;

/**
 * Repeats a failed recovery until it succeeds. @throws when `sleep` rejects.
 * @param recover returns whether everything was recovered.
 */
export async function repeatRecovery(
  recover: () => Promise<boolean>,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<void> {
  for (let wait = firstWait; ; wait = Math.min(wait * 2, maxWait)) {
    await sleep(wait);
    if (await recover()) return;
  }
}

/** The period in which messages arrived that `catchUp` recovers. */
export type MissedPeriod = 'after the previous run' | 'during the outage';

/** Returns the period for a shared receiver, by whether this process was ready to receive before. */
export function missedPeriod(wasReady: boolean): MissedPeriod {
  return wasReady ? 'during the outage' : 'after the previous run';
}

/**
 * Recovers missed events, one gap after another, and reports the result. Failures cause only warnings, because new
 * events continue to arrive.
 */
export class Gaps {
  readonly #ctx: Context;
  readonly #signal: AbortSignal;
  readonly #recovery: Recovery;
  readonly #end = new AbortController();
  /** Ends the waits of repeated recoveries. */
  readonly #ends: AbortSignal;
  #filling: Promise<unknown> = Promise.resolve();
  /** Whether the service rejected the last attempt. */
  #isRejected = false;

  /** @param filters the filters in effect, which contain extension IDs. */
  constructor(ctx: Context, filters: readonly string[], settings: RecoverySettings) {
    this.#ctx = ctx;
    this.#signal = settings.signal;
    this.#ends = AbortSignal.any([settings.signal, this.#end.signal]);
    this.#recovery = new Recovery(filters, settings);
  }

  /** Like `catchUp`, and repeats it in the background if it fails, unless the service rejected it. */
  async begin(recover: boolean): Promise<void> {
    await this.#ctx.out.progress('reading mailboxes', (update) => {
      const onProgress: OnProgress = (done, total) => update(`${done} of ${total}`);
      return this.#untilDone(() => this.catchUp(recover, 'after the previous run', onProgress));
    });
  }

  /**
   * Stores a sync point for each mailbox. If `recover` is true, first recovers messages that arrived after the previous
   * run. @returns whether that was possible.
   * @param missed when these messages arrived, for the report
   */
  catchUp(
    recover: boolean,
    missed: MissedPeriod = 'after the previous run',
    onProgress?: OnProgress,
  ): Promise<boolean> {
    const before = this.#filling;
    const done = before.then(() => this.#catchUp(recover, missed, onProgress));
    this.#filling = done;
    return done;
  }

  async #catchUp(
    recover: boolean,
    missed: MissedPeriod,
    onProgress: OnProgress | undefined,
  ): Promise<boolean> {
    try {
      const hasPoints = recover && (await this.#recovery.hasPoints());
      if (hasPoints) {
        const found = await this.#recovery.messages();
        if (found > 0) this.#ctx.out.note(`Recovered ${counted(found, 'message')} that arrived ${missed}.`);
      }
      await this.#recovery.begin(!hasPoints, onProgress);
      return true;
    } catch (error) {
      return this.#failed('cannot recover missed messages', error);
    }
  }

  /** Recovers the events of a gap in the background, and repeats this until it succeeds or the service rejects it. */
  fill(gap: Gap): void {
    void this.#untilDone(() => this.fillNow(gap));
  }

  /** Recovers the events of a gap after those of earlier gaps. @returns whether that was possible. */
  fillNow(gap: Gap): Promise<boolean> {
    const done = this.#fillAfter(this.#filling, gap);
    this.#filling = done;
    return done;
  }

  /** Stops repeating failed recoveries, and resolves when the recoveries in progress have ended. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#filling;
  }

  /** Resolves after the first attempt; repeats it in the background. */
  async #untilDone(recover: () => Promise<boolean>): Promise<void> {
    const isOver = async (): Promise<boolean> => (await recover()) || this.#isRejected;
    if (await isOver()) return;
    repeatRecovery(isOver, async (milliseconds) => {
      await this.#ctx.sleep(milliseconds, this.#ends);
      this.#ends.throwIfAborted();
    }).catch(() => undefined);
  }

  async #fillAfter(before: Promise<unknown>, gap: Gap): Promise<boolean> {
    await before;
    const between = `${new Date(gap.from).toISOString()} and ${new Date(gap.to).toISOString()}`;
    try {
      await this.#ctx.sleep(recoveryDelay, this.#signal);
      const { messages, snapshots, lost } = await this.#recovery.fill(gap);
      const found = [
        `recovered ${counted(messages, 'message')}`,
        ...(snapshots > 0 ? [`read the current presence of ${counted(snapshots, 'extension')}`] : []),
      ];
      this.#ctx.out.warn(`${gap.reason} between ${between}: ${found.join(', ')}`);
      if (lost.length > 0)
        this.#ctx.out.warn(`cannot recover events of these types between ${between}: ${lost.join(', ')}`);
      return true;
    } catch (error) {
      return this.#failed(`could not recover events between ${between}`, error);
    }
  }

  #failed(what: string, error: unknown): false {
    // For example because of a missing permission.
    this.#isRejected = isFinalRejection(error);
    const problem = this.#isRejected ? messageOf(error) : retryText(error);
    if (!this.#signal.aborted) this.#ctx.out.warn(nextStep`${what}: ${problem}`);
    return false;
  }
}
