import { counted } from '../../../platform/counted.ts';
import type { Context } from '../../../runtime/context.ts';
import { messageOf } from '../../../errors/command.ts';
import { Recovery, type RecoverySettings } from './recovery.ts';
import type { Gap } from '../subscription/renew.ts';

/**
 * Milliseconds to wait before a recovery, because notifications that were delayed while this machine slept can still
 * arrive.
 */
const recoveryDelay = 2000;

/**
 * Recovers missed events, one gap after another, and reports the result. Failures cause only warnings, because new
 * events continue to arrive.
 */
export class Gaps {
  readonly #ctx: Context;
  readonly #signal: AbortSignal;
  readonly #recovery: Recovery;
  #filling: Promise<unknown> = Promise.resolve();

  /** @param filters the filters in effect, which contain extension IDs. */
  constructor(ctx: Context, filters: readonly string[], settings: RecoverySettings) {
    this.#ctx = ctx;
    this.#signal = settings.signal;
    this.#recovery = new Recovery(filters, settings);
  }

  /**
   * Stores a sync point for each mailbox. If `recover` is true, first recovers messages that arrived after the previous
   * run. @returns whether that was possible.
   */
  catchUp(recover: boolean): Promise<boolean> {
    const done = this.#catchUpAfter(this.#filling, recover);
    this.#filling = done;
    return done;
  }

  async #catchUpAfter(before: Promise<unknown>, recover: boolean): Promise<boolean> {
    await before;
    try {
      const hasPoints = recover && (await this.#recovery.hasPoints());
      if (hasPoints) {
        const found = await this.#recovery.messages();
        if (found > 0)
          this.#ctx.out.note(`Recovered ${counted(found, 'message')} that arrived after the previous run.`);
      }
      await this.#recovery.begin(!hasPoints);
      return true;
    } catch (error) {
      if (!this.#signal.aborted) this.#ctx.out.warn(`cannot recover missed messages: ${messageOf(error)}`);
      return false;
    }
  }

  /** Recovers the events of a gap in the background. */
  fill(gap: Gap): void {
    void this.fillNow(gap);
  }

  /** Recovers the events of a gap after those of earlier gaps. @returns whether that was possible. */
  fillNow(gap: Gap): Promise<boolean> {
    const done = this.#fillAfter(this.#filling, gap);
    this.#filling = done;
    return done;
  }

  /** Resolves when every gap reported so far has been processed. */
  async settled(): Promise<void> {
    await this.#filling;
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
      if (!this.#signal.aborted)
        this.#ctx.out.warn(`could not recover events between ${between}: ${messageOf(error)}`);
      return false;
    }
  }
}
