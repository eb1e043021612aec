import type { Notification } from '../../../contract/subscription.ts';
import { counted } from '../../../platform/counted.ts';
import type { Context } from '../../../runtime/context.ts';
import { messageOf } from '../../../errors/command.ts';
import { Recovery, type RecoverySettings } from './recovery.ts';
import type { Gap } from '../subscription/renew.ts';

/** Milliseconds before a recovery, in which notifications that were delayed by a sleep of this machine can arrive. */
const recoveryDelay = 2000;

/**
 * Recovers missed events, one gap after the other, and reports the result. Failures cause only warnings, because new
 * events continue to arrive.
 */
export class Gaps {
  readonly #ctx: Context;
  readonly #signal: AbortSignal;
  readonly #recovery: Recovery;
  #filling: Promise<void> = Promise.resolve();

  /** @param filters the filters in effect, which contain extension ids. */
  constructor(ctx: Context, filters: readonly string[], settings: RecoverySettings) {
    this.#ctx = ctx;
    this.#signal = settings.signal;
    this.#recovery = new Recovery(filters, settings);
  }

  /** Stores a sync point for each mailbox. If `recover`, first recovers messages that arrived since the previous run. */
  catchUp(recover: boolean): Promise<void> {
    this.#filling = this.#catchUpAfter(this.#filling, recover);
    return this.#filling;
  }

  async #catchUpAfter(before: Promise<void>, recover: boolean): Promise<void> {
    await before;
    try {
      const hasPoints = recover && this.#recovery.hasPoints();
      if (hasPoints) {
        const found = await this.#recovery.messages();
        if (found > 0)
          this.#ctx.out.note(`Recovered ${counted(found, 'message')} that arrived since the previous run.`);
      }
      await this.#recovery.begin(!hasPoints);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#ctx.out.warn(`cannot recover missed messages: ${messageOf(error)}`);
    }
  }

  /** Recovers the events of a gap in the background. */
  fill(gap: Gap): void {
    this.#filling = this.#fillAfter(this.#filling, gap);
  }

  /** Resolves when every gap reported so far has been processed. */
  settled(): Promise<void> {
    return this.#filling;
  }

  /** Whether a notification arrived late: all of its messages have already been recovered. */
  isLate(notification: Notification): boolean {
    return this.#recovery.isLate(notification);
  }

  async #fillAfter(before: Promise<void>, gap: Gap): Promise<void> {
    await before;
    const between = `${new Date(gap.from).toISOString()} and ${new Date(gap.to).toISOString()}`;
    try {
      await this.#ctx.sleep(recoveryDelay, this.#signal);
      const { messages, snapshots, lost } = await this.#recovery.fill(gap);
      const found = [
        `${counted(messages, 'message')} recovered`,
        ...(snapshots > 0 ? [`current presence of ${counted(snapshots, 'extension')} read`] : []),
      ];
      this.#ctx.out.warn(`${gap.reason} between ${between}: ${found.join(', ')}`);
      if (lost.length > 0) this.#ctx.out.warn(`unrecoverable events from that period: ${lost.join(', ')}`);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#ctx.out.warn(`could not recover events between ${between}: ${messageOf(error)}`);
    }
  }
}
